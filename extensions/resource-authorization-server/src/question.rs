use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::Extensions;
use axum::http::request::Parts;
use axum::response::Response;

use super::answer::Problem;
use super::form::Form;
use super::limits::Limits;
use super::shared::Shared;
use super::{body, origin};

/// What a client asks, of which the form holds each parameter once.
pub(super) struct Question {
    pub(super) shared: Arc<Shared>,
    pub(super) request: Parts,
    pub(super) form: Form,
}

/// Has a question that counts as `count` says answered, in a way that the client's page may read.
pub(super) async fn answered<Answering>(
    shared: Arc<Shared>,
    request: Request<Body>,
    count: fn(&Limits, &Extensions) -> Result<(), Problem>,
    answer: fn(Question) -> Answering,
) -> Response
where
    Answering: Future<Output = Result<Response, Problem>> + Send,
{
    let (request, body) = request.into_parts();
    let counted = count(&shared.limits, &request.extensions);
    let form = body::read_any(&request, body).await;
    let page = origin::page(&request.headers, &form);
    let question = counted.and(form).and_then(|form| {
        form.check()?;
        let shared = Arc::clone(&shared);
        Ok(Question {
            shared,
            request,
            form,
        })
    });
    let answer = match question {
        Ok(question) => answer(question).await,
        Err(problem) => Err(problem),
    };
    origin::readable(&shared, answer, page).await
}
