//! How the layer around all routes learns which of them it was that answered: by what belongs to the
//! task, which costs no request an allocation.

use std::cell::RefCell;
use std::sync::Arc;

use super::Endpoint;

tokio::task_local! {
    static ASKED: RefCell<Option<Arc<Endpoint>>>;
}

/// Notes down which operation the request of this task is for.
pub(crate) fn asked(endpoint: &Arc<Endpoint>) {
    // Where nothing is recorded, nobody asks.
    let _ = ASKED.try_with(|asked| asked.replace(Some(Arc::clone(endpoint))));
}

/// What `answering` answers, and which operation it noted down.
pub(crate) async fn recorded<T>(answering: impl Future<Output = T>) -> (T, Option<Arc<Endpoint>>) {
    let taken = async {
        let answer = answering.await;
        let asked = ASKED.try_with(RefCell::take).ok().flatten();
        (answer, asked)
    };
    ASKED.scope(RefCell::new(None), taken).await
}
