//! Files of users: what they are in the database, their bytes in a folder.
//!
//! A JSON body is no place for a large file. The client creates an item that describes the file, and sends its bytes to an
//! endpoint of the service's own, which writes them while they come. The name in the folder is the key of the item, so that no
//! text of a client reaches the file system, and a file appears there only once it is whole.

use std::path::Path as Folder;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::routing::put;
use futures_util::StreamExt as _;
use resource_runtime::handlers::{Access, Partial, Path, Reply};
use resource_runtime::{Api, ApiBuilder, ApiResource, CustomError, Error};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt as _;

use crate::Failure;

/// A file.
#[derive(Debug, ApiResource)]
#[resource(name = "File", url = "/files", version = "1.0")]
pub struct File {
    /// The key, which the database assigns.
    pub id: i64,
    /// The name that people see.
    #[resource(min_length = 1, max_length = 200)]
    pub name: String,
    /// The number of bytes, once they are there.
    #[resource(read_only)]
    pub size: Option<i64>,
}

/// The refusal to read the bytes of a file that has none yet.
pub const NO_BYTES: CustomError = CustomError::new(20000, 404, "The file has no bytes yet");
/// The refusal of a file that is too large, or cut off.
pub const NOT_STORED: CustomError = CustomError::new(20001, 400, "The file was not stored");

/// The most bytes of a file.
pub const LIMIT: usize = 1024 * 1024;

/// The API, which keeps the bytes in a folder: `/files/1/content` beside `/api/1.0/files/1`.
pub fn api(folder: &Folder) -> ApiBuilder {
    let [stored, read]: [Arc<Folder>; 2] = [folder.into(), folder.into()];
    let put_content = async move |access: Access, Path(id): Path<i64>, body: Body| {
        store(&access, &stored, id, body).await
    };
    let get_content = async move |access: Access, Path(id): Path<i64>| -> Result<_, Error> {
        // A caller who may not see the item gets no bytes, either.
        access.items::<File>().require(id).await?;
        let file = tokio::fs::read(read.join(id.to_string())).await;
        file.map_err(|_| NO_BYTES.because(format!("send those of file {id} by PUT first")))
    };
    let routes = Router::new().route("/files/{id}/content", put(put_content).get(get_content));
    let builder = Api::builder().resource::<File>().routes(routes);
    builder.errors(&[NO_BYTES, NOT_STORED])
}

/// Stores the bytes, and answers the item. Bytes that were sent again replace those before.
async fn store(
    access: &Access,
    folder: &Folder,
    id: i64,
    body: Body,
) -> Result<Reply<Partial<File>>, Error> {
    // The system writes, so this route asks for the right itself; without authorization everybody has it.
    access.require_scope("files.write")?;
    access.items::<File>().require(id).await?;
    let size = write(folder, id, body).await;
    let size = size.map_err(|reason| NOT_STORED.because(reason.to_string()))?;
    let files = access.api().items::<File>();
    files.update(id).set(File::SIZE, size).await?;
    Ok(Reply::ok(access.items::<File>().require(id).await?))
}

/// Writes a file that has no name yet, and gives it its name at the end.
async fn write(folder: &Folder, id: i64, body: Body) -> Result<i64, Failure> {
    let unnamed = NamedTempFile::new_in(folder)?;
    let mut file = tokio::fs::File::from_std(unnamed.reopen()?);
    let (mut chunks, mut size) = (body.into_data_stream(), 0);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        size += chunk.len();
        if size > LIMIT {
            return Err(format!("it has more than {LIMIT} bytes").into());
        }
        file.write_all(&chunk).await?;
    }
    file.sync_all().await?;
    unnamed.persist(folder.join(id.to_string()))?;
    Ok(i64::try_from(size)?)
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use resource_testing::{TestApi, TestResponse};
    use serde_json::json;

    use super::*;

    async fn send(api: &TestApi, file: i64, bytes: Vec<u8>) -> TestResponse {
        let request = Request::put(format!("/files/{file}/content"));
        let request = request.body(bytes.into()).unwrap();
        api.anonymous().request(request).await
    }

    #[tokio::test]
    async fn a_file_is_read_as_it_was_sent_and_only_whole() {
        let folder = tempfile::tempdir().unwrap();
        let api = TestApi::new(api(folder.path())).await;
        let client = api.anonymous();
        send(&api, 1, vec![1]).await.assert_error(404, 10001);
        client
            .post("/files", json!({"name": "../x"}))
            .await
            .assert_status(201);
        let content = || client.absolute();
        content()
            .get("/files/1/content")
            .await
            .assert_error(404, 20000);
        let stored = send(&api, 1, vec![7; 300]).await;
        let item = json!({"id": 1, "name": "../x", "size": 300});
        stored.assert_status(200).assert_json(item);
        send(&api, 1, vec![0; LIMIT + 1])
            .await
            .assert_error(400, 20001);
        let read = content().get("/files/1/content").await;
        assert_eq!(read.assert_status(200).body(), vec![7; 300]);
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1);
    }
}
