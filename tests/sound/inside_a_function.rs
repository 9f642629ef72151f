//! Structs that stand in a function see each other and are seen by nobody else.

#![deny(warnings)]

use resource_runtime::{ApiResource, FieldValue, Validator};

#[test]
fn it_compiles() {
    #[derive(ApiResource)]
    #[resource(
        name = "Person",
        url = "/persons",
        version = "1.0",
        subresource(home = "home_id"),
        validator = Check
    )]
    struct Person {
        id: i64,
        #[resource(references = Address)]
        home_id: Option<i64>,
        mood: Mood,
        age: Age,
    }

    #[derive(FieldValue)]
    enum Mood {
        Calm,
    }

    #[derive(FieldValue)]
    struct Age(i32);

    #[derive(Default)]
    struct Check;

    impl Validator<Person> for Check {}

    #[derive(ApiResource)]
    #[resource(name = "Address", url = "/addresses", version = "1.0")]
    struct Address {
        id: i64,
        #[resource(default = default_city())]
        city: String,
    }

    fn default_city() -> String {
        String::from("Ely")
    }

    let person = Person {
        id: 1,
        home_id: Some(2),
        mood: Mood::Calm,
        age: Age(9),
    };
    let again = Person::from_record(person.to_record()).unwrap();
    let (Mood::Calm, Age(age)) = (again.mood, again.age);
    assert_eq!((again.id, again.home_id, age), (1, Some(2), 9));
    let address = Address {
        id: 2,
        city: default_city(),
    };
    let again = Address::from_record(address.to_record()).unwrap();
    assert_eq!((again.id, again.city.as_str()), (2, "Ely"));
    assert_eq!(Person::HOME_ID.index(), Address::CITY.index());
}
