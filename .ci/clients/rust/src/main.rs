//! A client that is generated from the description of the address book.

use std::error::Error;

mod api {
    progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);
}

use api::types::{AddressCreate, AddressUpdate, LabelCreate, LabelUpdate, PersonCreate};
use progenitor_client::{ClientInfo, ResponseValue};
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn header<T>(answer: &ResponseValue<T>, name: &str) -> Done<String> {
    let value = answer.headers().get(name).ok_or(name.to_owned())?;
    Ok(value.to_str()?.to_owned())
}

fn segment_of<T>(created: &ResponseValue<T>) -> Done<String> {
    let location = header(created, "location")?;
    Ok(location.rsplit('/').next().ok_or("no id")?.to_owned())
}

fn id_of<T>(created: &ResponseValue<T>) -> Done<i64> {
    Ok(segment_of(created)?.parse()?)
}

fn address(line1: &str) -> Done<AddressCreate> {
    let city = Some("Oslo".parse()?);
    Ok(AddressCreate::builder()
        .line1(line1)
        .city(city)
        .try_into()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let base = std::env::args().nth(1).ok_or("the base URL is missing")?;
    let client = api::Client::new(&base);

    // A request that is sent again with its key creates nothing.
    let create = |line1| Done::Ok(client.create_address().body(address(line1)?));
    let key = "rust-8e03978e-40d5-43dd";
    let created = create("1 Main Street")?.idempotency_key(key).send().await?;
    let again = create("1 Main Street")?.idempotency_key(key).send().await?;
    assert_eq!(header(&again, "idempotent-replayed")?, "true");
    assert_eq!(header(&again, "location")?, header(&created, "location")?);
    let other = create("2")?.idempotency_key(key).send().await;
    let refused = other.err().and_then(|it| it.status());
    assert_eq!(refused, Some(StatusCode::UNPROCESSABLE_ENTITY));
    let id = id_of(&created)?;

    let list = client.list_address().filter("eq(city,\"Oslo\")").limit(5);
    let page = list.send().await?;
    assert_eq!(page.total_items, 1);
    assert_eq!(page.items[0].line1.as_str(), "1 Main Street");

    // A change is refused where the item is no longer as it was read.
    let tag = header(&client.retrieve_address().id(id).send().await?, "etag")?;
    let change: AddressUpdate = AddressUpdate::builder()
        .city(Some("Bergen".parse()?))
        .try_into()?;
    let update = || client.update_address().id(id).if_match(&*tag);
    let changed = update().body(change.clone()).send().await?;
    assert_eq!(changed.status(), StatusCode::NO_CONTENT);
    let stale = update().body(change).send().await;
    let refused = stale.err().and_then(|it| it.status());
    assert_eq!(refused, Some(StatusCode::PRECONDITION_FAILED));

    // The generator knows no patches, so that the document in 3.0 has none; a request of one's own sends them.
    let city: AddressUpdate = AddressUpdate::builder()
        .city(Some("Voss".parse()?))
        .try_into()?;
    let patched = client
        .client()
        .patch(format!("{base}/api/1.0/addresses/{id}"));
    let patched = patched
        .header(CONTENT_TYPE, "application/merge-patch+json")
        .body(serde_json::to_string(&city)?);
    assert_eq!(patched.send().await?.status(), StatusCode::NO_CONTENT);
    let item = client.retrieve_address().id(id).send().await?;
    assert_eq!(item.city.as_deref().map(String::as_str), Some("Voss"));
    assert_eq!(item.line1.as_str(), "1 Main Street");

    // Pages by cursor, to the last one.
    let mut ids = vec![id];
    for line1 in ["2", "3", "4", "5"] {
        ids.push(id_of(&create(line1)?.send().await?)?);
    }
    let mut walked = Vec::new();
    let mut cursor = Some("start".to_owned());
    while let Some(at) = cursor {
        let list = client.list_address().limit(2).order("desc(id)");
        let page = list.cursor(at).send().await?.into_inner();
        walked.extend(page.items.iter().map(|it| it.id));
        cursor = page.next;
    }
    walked.reverse();
    assert_eq!(walked, ids);

    for id in ids {
        client.delete_address().id(id).send().await?;
    }
    let gone = client.retrieve_address().id(id).send().await;
    assert!(gone.is_err());

    // A key of two parts, one of them a text of any characters, as `Location` tells it.
    let body = PersonCreate::builder();
    let person = id_of(&client.create_person().body(body).send().await?)?;
    let name = "50%2C, a/b ~é";
    let body = LabelCreate::builder().person_id(person).name(name);
    let label = &*segment_of(&client.create_label().body(body).send().await?)?;
    let body = LabelUpdate::builder().remark(Some("new".parse()?));
    client.update_label().id(label).body(body).send().await?;
    let read = client.retrieve_label().id(label).send().await?;
    assert_eq!((read.person_id, read.name.as_str()), (person, name));
    assert_eq!(read.remark.as_deref().map(String::as_str), Some("new"));
    client.delete_label().id(label).send().await?;
    let gone = client.retrieve_label().id(label).send().await;
    let refused = gone.err().and_then(|it| it.status());
    assert_eq!(refused, Some(StatusCode::NOT_FOUND));
    println!("Rust: passed");
    Ok(())
}
