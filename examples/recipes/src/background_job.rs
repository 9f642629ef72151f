//! Works through a table of jobs, one after the other and with any number of workers.
//!
//! Work that takes long, or that may fail for a while, does not belong into a request: the request stores a job, and a
//! worker does it soon. A worker takes a job for a limited time, so that no other takes it and a crash does not lose
//! it, and a job that fails is due again later.

use std::error::Error as StdError;
use std::time::Duration;

use chrono::{DateTime, Utc};
use resource_runtime::{Api, ApiBuilder, ApiResource, Error};

/// A job to do; not served.
#[derive(Debug, ApiResource)]
#[resource(name = "Job", url = "/jobs", version = "1.0")]
pub struct Job {
    /// The key, which the database assigns.
    pub id: i64,
    /// The task.
    pub task: String,
    /// The moment from which on a worker may take it.
    #[resource(index)]
    pub due_at: DateTime<Utc>,
    /// The number of times that it was taken.
    #[resource(default = 0)]
    pub attempts: i32,
    /// The reason for which the last attempt failed.
    pub failure: Option<String>,
}

/// The reason for which a job failed.
pub type Failure = Box<dyn StdError + Send + Sync>;

/// The longest that a job may take; afterwards it is taken to be lost, and another worker does it.
pub const LEASE: Duration = Duration::from_mins(5);
const POLL: Duration = Duration::from_secs(1);

/// The API, with the table of the jobs.
pub fn api() -> ApiBuilder {
    Api::builder().table::<Job>()
}

/// Does jobs until the service stops, as a task of its own: `tokio::spawn(run(api, work))`.
pub async fn run<F>(api: Api, work: impl Fn(String) -> F) -> Result<(), Error>
where
    F: Future<Output = Result<(), Failure>>,
{
    loop {
        let pause = match run_one(&api, &work).await {
            Ok(true) => Duration::ZERO,
            Ok(false) => POLL,
            Err(error) if error.is_retryable() => POLL,
            Err(error) => return Err(error),
        };
        tokio::select! {
            biased;
            () = api.stopping() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Does the job that is due for the longest time, and tells whether there was one.
pub async fn run_one<F: Future<Output = Result<(), Failure>>>(
    api: &Api,
    work: impl Fn(String) -> F,
) -> Result<bool, Error> {
    let Some(job) = take(api).await? else {
        return Ok(false);
    };
    let outcome = work(job.task).await;
    // After the lease another worker may have taken it: then it has had more attempts, and is left alone.
    let mine = Job::ID.eq(job.id).and(Job::ATTEMPTS.eq(job.attempts));
    let mine = api.items::<Job>().without_hooks().filter(mine);
    match outcome {
        Ok(()) => mine.delete_all().await?,
        Err(failure) => {
            let later: DateTime<Utc> = (api.now() + delay(job.attempts)).into();
            let update = mine.update_all().set(Job::DUE_AT, later);
            update.set(Job::FAILURE, failure.to_string()).await?
        }
    };
    Ok(true)
}

/// Twice the time after each attempt: 2, 4, 8 … seconds, and an hour at most.
fn delay(attempts: i32) -> Duration {
    let seconds = 2_u64.saturating_pow(attempts.unsigned_abs());
    Duration::from_secs(seconds).min(Duration::from_hours(1))
}

async fn take(api: &Api) -> Result<Option<Job>, Error> {
    let now: DateTime<Utc> = api.now().into();
    let due = Job::DUE_AT.le(now);
    // A transaction keeps the writers of SQLite waiting, so there is none where no job is due.
    if !api.items::<Job>().filter(due).exists().await? {
        return Ok(None);
    }
    api.transaction(|mut transaction| async move {
        // The transaction runs as if it were alone: of two workers that find the same job, one finds it anew after a
        // conflict, when the other has put it off.
        let due = transaction.items::<Job>().filter(Job::DUE_AT.le(now));
        let mut job = due.order_by(Job::DUE_AT.asc()).first().await?;
        if let Some(job) = &mut job {
            job.attempts += 1;
            let update = transaction
                .items::<Job>()
                .update(job.id)
                .set(Job::ATTEMPTS, job.attempts);
            update.set(Job::DUE_AT, now + LEASE).await?;
        }
        transaction.commit(job).await
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use resource_runtime::new;
    use resource_testing::TestApi;

    use super::*;

    async fn add(api: &TestApi, task: &str) -> i64 {
        let due_at: DateTime<Utc> = api.now().into();
        api.items::<Job>()
            .insert(new!(Job { task, due_at }))
            .await
            .unwrap()
            .id
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn two_workers_never_take_the_same_job() {
        let api = TestApi::new(api()).await;
        for number in 0..50 {
            add(&api, &number.to_string()).await;
        }
        let done = Arc::new(Mutex::new(Vec::new()));
        let workers: Vec<_> = (0..4)
            .map(|_| {
                let (shared, done) = (Api::clone(&api), done.clone());
                tokio::spawn(run(shared, move |task| {
                    done.lock().unwrap().push(task);
                    async { Ok(()) }
                }))
            })
            .collect();
        while api.items::<Job>().count().await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
        api.stop();
        for worker in workers {
            worker.await.unwrap().unwrap();
        }
        let mut done = done.lock().unwrap().clone();
        assert_eq!(done.len(), 50);
        done.sort();
        done.dedup();
        assert_eq!(done.len(), 50);
    }

    #[tokio::test]
    async fn a_job_that_fails_is_due_again_later() {
        let api = TestApi::new(api()).await;
        let id = add(&api, "mail").await;
        let refuse = |_| async { Err("no connection".into()) };
        let accept = |_| async { Ok(()) };
        assert!(run_one(&api, refuse).await.unwrap());
        assert!(!run_one(&api, accept).await.unwrap());
        let job = api.items::<Job>().get(id).await.unwrap().unwrap();
        assert_eq!(
            (job.attempts, job.failure.as_deref()),
            (1, Some("no connection"))
        );

        api.clock().advance(Duration::from_secs(2));
        assert!(run_one(&api, accept).await.unwrap());
        assert_eq!(api.items::<Job>().count().await.unwrap(), 0);
    }

    #[tokio::test]
    async fn a_job_that_took_too_long_belongs_to_the_next_worker() {
        let api = TestApi::new(api()).await;
        let id = add(&api, "report").await;
        let slow = |_| async {
            api.clock().advance(LEASE);
            assert!(take(&api).await.unwrap().is_some());
            Ok(())
        };
        assert!(run_one(&api, slow).await.unwrap());
        assert_eq!(
            api.items::<Job>().get(id).await.unwrap().unwrap().attempts,
            2
        );
    }

    #[tokio::test]
    async fn a_worker_ends_with_the_service_after_its_job() {
        let api = TestApi::new(api()).await;
        add(&api, "first").await;
        add(&api, "second").await;
        let stop = Api::clone(&api);
        let work = move |_| {
            stop.stop();
            async { Ok(()) }
        };
        run(Api::clone(&api), work).await.unwrap();
        assert_eq!(api.items::<Job>().count().await.unwrap(), 1);
    }
}
