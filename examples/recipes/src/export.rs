//! Exports all items of a list to a file, and resumes after the answer was cut off.
//!
//! A long answer breaks off when a connection or the database fails, and half a file looks like a whole one. Here the
//! lines go to a file beside it, which gets its name when the last one has arrived. Until then each call ends with the
//! error, and the next call asks for what lies behind the last whole line. An item that nobody writes comes exactly once.

use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use reqwest::Client;
use resource_runtime::{Api, ApiBuilder, ApiResource};

use crate::Failure;

/// A reading of a thermometer.
#[derive(Debug, ApiResource)]
#[resource(name = "Reading", url = "/readings", version = "1.0")]
#[resource(limit(max = 100, all))]
pub struct Reading {
    /// The key, by which exports are ordered.
    pub id: i64,
    /// The temperature.
    pub celsius: f64,
}

/// The API of the readings.
pub fn api() -> ApiBuilder {
    Api::builder().resource::<Reading>()
}

/// Writes all items of the list at `url` to `file`, a line each, or those that earlier calls did not get.
///
/// Programs that do more than the export call it in a task of its own, as writing to the file blocks.
pub async fn export(client: &Client, url: &str, file: &Path) -> Result<(), Failure> {
    let part = file.with_added_extension("part");
    let mut options = OpenOptions::new();
    let options = options.create(true).truncate(false).read(true).write(true);
    let mut lines = options.open(&part)?;
    let (end, last) = whole_lines(&lines)?;
    lines.set_len(end)?;
    lines.seek(SeekFrom::Start(end))?;
    let behind = last.map_or(String::new(), |last| format!("&filter=gt(id,{last})"));
    let url = format!("{url}?limit=all&format=ndjson{behind}");
    let mut answer = client.get(url).send().await?.error_for_status()?;
    // An answer that was cut off ends with an error, never with `None`.
    while let Some(chunk) = answer.chunk().await? {
        lines.write_all(&chunk)?;
    }
    lines.sync_all()?;
    Ok(fs::rename(part, file)?)
}

/// The place behind the last whole line, and the key of its item.
fn whole_lines(file: impl Read) -> Result<(u64, Option<i64>), Failure> {
    #[derive(serde::Deserialize)]
    struct Item {
        id: i64,
    }
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    let (mut end, mut last) = (0, None);
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        end += u64::try_from(line.len())?;
        last = Some(serde_json::from_slice::<Item>(&line)?.id);
        line.clear();
    }
    Ok((end, last))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::net::{SocketAddr, TcpListener, TcpStream};

    use resource_runtime::new;
    use resource_testing::TestApi;

    use super::*;

    /// The address of a proxy that passes one request on, and these bytes of the answer.
    fn cut_off(service: SocketAddr, bytes: u64) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let mut service = TcpStream::connect(service).unwrap();
            let mut request = [0; 4_096];
            let length = client.read(&mut request).unwrap();
            service.write_all(&request[..length]).unwrap();
            io::copy(&mut service.take(bytes), &mut client).unwrap();
        });
        address
    }

    #[tokio::test]
    async fn an_export_that_was_cut_off_fails_and_resumes() {
        let api = TestApi::new(api()).await;
        let reading = |celsius| new!(Reading { celsius });
        let readings = api.items::<Reading>();
        let first: Vec<_> = (1..=5_000_i32).map(f64::from).map(reading).collect();
        readings.without_hooks().insert_all(first).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = listener.local_addr().unwrap();
        tokio::spawn(resource_runtime::serve(listener, api.router()));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("readings.ndjson");
        let url = |bytes| format!("http://{}/api/1.0/readings", cut_off(service, bytes));
        let client = Client::new();
        for (bytes, next) in [10, 1_000, 10_001, 70_002, 50_003].into_iter().zip(5_001..) {
            export(&client, &url(bytes), &file).await.unwrap_err();
            assert!(!file.exists());
            readings.insert(reading(f64::from(next))).await.unwrap();
        }
        // No more than the rest of the lines fits into this answer.
        export(&client, &url(40_000), &file).await.unwrap();
        let lines = (1..=5_005).map(|id| format!("{{\"id\":{id},\"celsius\":{id}.0}}\n"));
        let exported = fs::read_to_string(&file).unwrap();
        assert_eq!(exported, lines.collect::<String>());
    }
}
