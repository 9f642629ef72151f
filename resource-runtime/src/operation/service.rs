use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use tokio::sync::OnceCell;

use crate::encode::{Formatters, PageLength, Shape, Unsent};
use crate::error::Failure;
use crate::execute::{Database, Diverting};
use crate::extract::UnknownParameters;
use crate::guard::{Caller, Gate, View};
#[cfg(feature = "metrics")]
use crate::metrics::{self, Endpoints};
use crate::plan::Planner;
use crate::query::{PageLimits, QueryLimits, Selection};
use crate::schema::Operation;
use crate::schema::{Attribute, Reference, Referrer, ResourceDefinition};
use crate::validator::{Formatter, Hooks, RequestContext};

/// One version of a resource, ready to serve: what every operation on it needs.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) definition: &'static ResourceDefinition,
    pub(crate) gate: Gate,
    #[cfg(feature = "metrics")]
    pub(crate) endpoints: Option<Endpoints>,
    pub(crate) database: Database,
    pub(crate) planner: Planner,
    /// The shape of all attributes, where no hook formats them.
    pub(crate) shape: Arc<Shape>,
    pub(crate) page_length: Arc<PageLength>,
    /// The room for what is read and not sent, which all resources share.
    pub(crate) unsent: Arc<Unsent>,
    pub(crate) hooks: Option<Arc<dyn Hooks>>,
    /// The hooks of each subresource.
    pub(crate) subresource_hooks: Vec<Option<Arc<dyn Hooks>>>,
    pub(crate) page_limits: PageLimits,
    pub(crate) query_limits: QueryLimits,
    pub(crate) body_limit: usize,
    pub(crate) hook_timeout: Duration,
    pub(crate) unknown_parameters: UnknownParameters,
    /// What versions in the same table have beside this one's attributes, with a default on update.
    pub(crate) updated_elsewhere: Vec<&'static Attribute>,
    /// The attributes of each set whose values no two items share.
    pub(crate) unique: Vec<Vec<usize>>,
    pub(crate) references: Vec<Reference>,
    pub(crate) referrers: Vec<Referrer>,
    /// The writes that a trigger may drop or divert; asked for the first of them.
    pub(crate) diverting: OnceCell<Diverting>,
}

impl Service {
    /// Who the caller is, if they may use the operation; the request is known from here on as one
    /// for it.
    pub(super) async fn admit(
        &self,
        operation: Operation,
        headers: &HeaderMap,
    ) -> Result<Caller, Failure> {
        let request = tracing::Span::current();
        request.record("operation", operation.name());
        request.record("resource", self.definition.name());
        request.record(
            "version",
            tracing::field::display(self.definition.version()),
        );
        #[cfg(feature = "metrics")]
        if let Some(endpoint) = self.endpoints.as_ref().and_then(|it| it.of(operation)) {
            metrics::asked(endpoint);
        }
        self.gate.admit(operation, headers).await
    }

    /// The resource as it is for a caller.
    pub(super) const fn view<'caller>(&self, caller: &'caller Caller) -> View<'caller> {
        View::new(self.definition, caller)
    }

    /// Whether another resource refers to items by this attribute.
    pub(crate) fn is_referred_to_by(&self, attribute: &Attribute) -> bool {
        let mut referrers = self.referrers.iter();
        referrers.any(|it| it.key.target_columns.contains(&attribute.identifier()))
    }

    /// What is read for an answer: whole items where a format hook sees them. `None` stands for
    /// all attributes, with nothing expanded, nothing formatted and nothing withheld.
    pub(super) fn reading(
        &self,
        view: View<'_>,
        selection: Option<Selection>,
    ) -> Option<Selection> {
        if self.hooks.is_none() && selection.is_none() && view.is_complete() {
            return None;
        }
        let mut selection = selection.unwrap_or_else(|| Selection::all(view));
        if self.hooks.is_some() {
            selection.read_whole(self.definition);
        }
        for expansion in &mut selection.expansions {
            let index = expansion.subresource;
            let hooked = matches!(self.subresource_hooks.get(index), Some(Some(_)));
            let target = self.definition.all_subresources().get(index);
            if let Some(subresource) = target.filter(|_| hooked) {
                expansion.read_whole(subresource.target());
            }
        }
        Some(selection)
    }

    /// How the rows of a selection become JSON; without one, the shape of all attributes.
    pub(super) fn shape(
        &self,
        caller: &Caller,
        selection: Option<&Selection>,
        request: Parts,
    ) -> Arc<Shape> {
        match selection {
            None => self.shape.clone(),
            Some(selection) => {
                let formatters = self.formatters(caller, request);
                Arc::new(Shape::of(self.definition, selection, &formatters))
            }
        }
    }

    fn formatters(&self, caller: &Caller, request: Parts) -> Formatters {
        let mut all = self.subresource_hooks.iter().chain([&self.hooks]);
        if all.all(Option::is_none) {
            return Formatters::default();
        }
        let request = RequestContext::new(request, caller);
        let formatter = |hooks: &Option<Arc<dyn Hooks>>| {
            let hooks = hooks.as_ref();
            hooks.map(|hooks| Formatter::new(hooks, &request))
        };
        Formatters {
            item: formatter(&self.hooks),
            subresources: self.subresource_hooks.iter().map(formatter).collect(),
        }
    }
}
