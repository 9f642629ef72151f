//! A constant is seen wherever its field is.

mod outer {
    pub mod inner {
        use resource_runtime::ApiResource;

        #[derive(ApiResource)]
        #[resource(name = "Setting", url = "/settings", version = "1.0")]
        pub(in crate::visibility::outer) struct Setting {
            pub(super) id: i64,
            pub(in crate::visibility::outer) first_name: String,
        }
    }

    use resource_runtime::ApiResource;

    use inner::Setting;

    pub fn name() -> &'static str {
        let setting = Setting {
            id: 1,
            first_name: String::from("a"),
        };
        let again = Setting::from_record(setting.to_record()).unwrap();
        assert_eq!((again.id, again.first_name.as_str()), (1, "a"));
        Setting::FIRST_NAME.name()
    }
}

#[test]
fn it_compiles() {
    assert_eq!(outer::name(), "first_name");
}
