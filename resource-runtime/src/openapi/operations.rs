//! The operations of a resource, with their parameters, bodies and responses.

use resource_model::error::ErrorCode;
use resource_model::query::has_cursors;
use resource_model::schema::{
    Access, Body, Content, Operation, Parameters, ReferentialAction, Referrer, ResourceDefinition,
    Success,
};

use super::document::ResourceContext;
use super::json::{Object, object};
use super::parameters::{
    IDEMPOTENT, IF_MATCH, IF_MISSING, IF_NONE_MATCH, KEY, PREFER, TAG, fields, id, in_header,
    of_list,
};
use super::responses::{content, header, headers, refusals, response};
use super::schemas::Names;
use super::spec_version::{OpenApiVersion, reference};
use super::{examples, security};
use crate::http::extract::MERGE_PATCH;
use crate::operation::Service;

/// The path items of a resource.
pub(super) fn paths(resource: &ResourceContext<'_>) -> Object {
    let collection = resource.path();
    let item = format!("{collection}/{{id}}");
    // The id stands once in the path item, and not in each of its operations.
    let id = vec![id(resource.api.spec, resource.service.definition)];
    // The collection and the item have a path each, and each path the operations of its own.
    object! {
        collection: path_item(resource, false, Object::new()),
        item: path_item(resource, true, object! { "parameters": id }),
    }
}

/// A path item; none for a path without any operation, which is left out of the document.
fn path_item(resource: &ResourceContext<'_>, of_item: bool, shared: Object) -> Option<Object> {
    let of_resource = resource.service.definition.offered_operations();
    // The order is that of all operations, so that documents of two resources read alike.
    let offered = Operation::ALL.into_iter();
    let offered = offered.filter(|it| it.is_of_item() == of_item && of_resource.contains(it));
    let requests = offered.flat_map(|operation| {
        let methods = operation.methods().iter();
        methods.map(move |method| Request {
            resource,
            operation,
            method,
        })
    });
    // Tools for 3.0 refuse a document with media types that they do not know, and `PUT` does most of it.
    let requests =
        requests.filter(|it| it.method != "PATCH" || resource.api.spec == OpenApiVersion::V31);
    let methods = requests.map(|it| (it.method.to_ascii_lowercase(), it.described()));
    let methods: Object = methods.collect();
    (methods != Object::new()).then(|| shared.and(methods))
}

const PATCHED: &str = "Attributes that the body does not name stay as they are. An object for a JSON attribute is \
                       merged into the stored one, of which null removes a member (RFC 7396).";

const UPSERTED: &str = "Attributes that the body does not name stay as they are. An item that is missing is created, and \
                        with `If-None-Match: *` only that.";

const JSON: &str = "application/json";

const NEW: &str = "The item is stored. The body is the item where `Prefer: return=representation` was sent, and empty \
                   otherwise.";

const REPRESENTATION: &str = "return=representation";

/// The error codes that every operation may have.
const OF_EVERY_OPERATION: &[ErrorCode] = &[
    ErrorCode::MalformedAuthorization,
    ErrorCode::NoValidToken,
    ErrorCode::InsufficientScope,
    ErrorCode::QuotaUsedUp,
    ErrorCode::Unavailable,
    ErrorCode::NotHttp,
];

/// The fate of items that refer to a deleted one, where they do not keep it.
fn sentence_of(referrer: &Referrer) -> Option<String> {
    let change = match referrer.key.on_delete? {
        ReferentialAction::Cascade => "is deleted, too",
        ReferentialAction::SetNull => "refers to nothing then",
        ReferentialAction::SetDefault => "refers to the default then",
    };
    let name = referrer.source.name();
    Some(format!("Each {name} that refers to it {change}."))
}

/// The deprecation of a version in sentences, with the path of the one to use; none where it is not deprecated.
pub(crate) fn notice(service: &Service, root: &str) -> Option<String> {
    let deprecation = service.definition.deprecation()?;
    let instead = service.successor.map(|it| {
        let (name, version, collection) = (it.name(), it.version(), it.collection());
        format!("`{name}` {version} at `{root}/{version}/{collection}`")
    });
    Some(deprecation.in_words(instead))
}

/// The requests of an operation by one of its methods.
#[derive(Clone, Copy)]
struct Request<'api> {
    resource: &'api ResourceContext<'api>,
    operation: Operation,
    method: &'static str,
}

impl Request<'_> {
    fn described(self) -> Object {
        // The table of operations gives the parts that are the same for every resource.
        let entry = self.operation.entry();
        let definition = self.resource.service.definition;
        let verb = self.operation.name();
        let (verb, summary, description, media) = match self.method {
            "PATCH" => ("patch", "Patch {an item}", PATCHED, MERGE_PATCH),
            _ if self.upserts() => (verb, entry.summary, UPSERTED, JSON),
            _ => (verb, entry.summary, entry.description, JSON),
        };
        let succeeded = entry.successes.iter().filter(|it| self.may_answer(it));
        // The members of `responses` are named by the status as text, as OpenAPI prescribes.
        let succeeded = succeeded.map(|it| (it.status.to_string(), self.succeeded(it)));
        let ResourceContext { api, service } = *self.resource;
        let is_deprecated = definition.deprecation().is_some();
        let refused = refusals(api.spec, self.method, is_deprecated, self.errors());
        let notice = notice(service, api.root).map(|it| format!("\n\n{it}"));
        let notice = notice.unwrap_or_default();
        object! {
            // Operation ids must be unique in a document, and become names of functions in generated code.
            "operationId": verb.to_owned() + &Names::of(definition).item,
            // The tag is the resource, by which tools group operations.
            "tags": vec![definition.name()],
            "summary": summary_of(summary, definition),
            "description": self.with_actions(description) + &notice,
            "deprecated": is_deprecated.then_some(true),
            // Without authorization, the document tells once for all operations that none needs credentials.
            "security": security::of(self.resource, self.operation),
            "parameters": self.parameters(),
            "requestBody": entry.body.map(|it| self.body(it, media)),
            "responses": succeeded.collect::<Object>().and(refused),
        }
    }

    /// The description; that of a deletion tells which other items the database deletes or changes.
    fn with_actions(self, description: &str) -> String {
        let service = self.resource.service;
        // A row that stays where its item is deleted has no such consequences.
        let removes = self.operation == Operation::Delete
            && service.definition.deletion_attribute().is_none();
        let referrers = service.referrers.iter();
        let served = referrers.filter(|it| it.is_served && removes);
        let mut sentences = vec![description.to_owned()];
        sentences.extend(served.filter_map(sentence_of));
        // Two versions of a resource refer alike.
        sentences.dedup();
        sentences.join(" ")
    }

    /// Tests whether a missing item is created.
    fn upserts(self) -> bool {
        self.method == "PUT" && self.resource.service.definition.upserts()
    }

    /// Tests whether the response to a write holds the item, where the client prefers that. Tools for 3.0 expect one type
    /// of all responses that succeed.
    fn represents(self) -> bool {
        let offered = self.resource.service.definition.offered_operations();
        self.operation.entry().body.is_some()
            && self.resource.api.spec == OpenApiVersion::V31
            && offered.contains(&Operation::Retrieve)
    }

    fn has_key(self) -> bool {
        self.operation == Operation::Create && self.resource.service.idempotency.is_some()
    }

    fn parameters(self) -> Option<Vec<Object>> {
        let service = self.resource.service;
        let (definition, limits) = (service.definition, service.query_limits);
        let entry = self.operation.entry();
        // Lists have the parameters of pages and filters.
        let mut parameters = match entry.parameters {
            Parameters::None | Parameters::OfItem => Vec::new(),
            Parameters::OfList => of_list(definition, service.page_limits, limits),
        };
        let has_fields = entry.parameters != Parameters::None;
        if has_fields && !self.resource.api.is_for_clients {
            parameters.push(fields(definition, limits));
        }
        let tags = self.operation.is_of_item() && service.tags.is_some();
        let reads = self.operation == Operation::Retrieve;
        let conditional = service.requires_if_match;
        let keyed = definition.requires_idempotency_key();
        // Each with whether requests have it, and whether they must.
        let headers = [
            (tags && reads, ["If-None-Match", IF_NONE_MATCH, TAG], false),
            (tags && !reads, ["If-Match", IF_MATCH, TAG], conditional),
            (self.upserts(), ["If-None-Match", IF_MISSING, "*"], false),
            (self.represents(), ["Prefer", PREFER, REPRESENTATION], false),
            (self.has_key(), ["Idempotency-Key", IDEMPOTENT, KEY], keyed),
        ];
        let headers = headers.into_iter().filter(|(is_there, ..)| *is_there);
        parameters.extend(headers.map(|(_, header, is_required)| in_header(header, is_required)));
        Some(parameters).filter(|parameters| !parameters.is_empty())
    }

    fn body(self, body: Body, media: &'static str) -> Object {
        let definition = self.resource.service.definition;
        let names = Names::of(definition);
        let attributes = definition.all_attributes().iter();
        // The owner is left out of examples: few callers may set it.
        let sent = attributes.filter(|it| it.is_accepted_by(self.operation) && !it.is_owner());
        let (schema, example) = match body {
            Body::Whole => (names.create, examples::object(sent)),
            // A change may name any of the attributes; a single one shows that.
            Body::Part => (names.update, examples::object(sent.take(1))),
        };
        // OpenAPI takes a body as optional unless it is told otherwise.
        object! { "required": true, "content": content(media, reference(&schema), example) }
    }

    /// Tests whether a response of the operation is possible with the method and the resource.
    fn may_answer(self, success: &Success) -> bool {
        match (self.operation, success.status) {
            (Operation::Retrieve, 304) => self.resource.service.tags.is_some(),
            (Operation::Update, 200) => self.represents(),
            (Operation::Update, 201) => self.upserts(),
            _ => true,
        }
    }

    fn succeeded(self, success: &Success) -> Object {
        let definition = self.resource.service.definition;
        let names = Names::of(definition);
        let shown = definition.readable_attributes();
        // Each form of content has an example of its own.
        let body = match success.content {
            // The other formats are told in words: with their media types here, the page would be a union with a text in
            // generated clients.
            Content::Page => Some((names.page, examples::page(definition))),
            Content::Item => Some((names.item, examples::object(shown))),
            // The body of a new item is told in words: described, generated clients would expect one where none was asked
            // for.
            Content::Location | Content::Nothing => None,
        };
        let body = body.map(|(schema, example)| content(JSON, reference(&schema), example));
        let is_page = success.content == Content::Page;
        let is_new = success.content == Content::Location;
        let is_tagged = !is_page && self.operation != Operation::Delete;
        let is_item = success.content != Content::Nothing && self.represents();
        let is_deprecated = definition.deprecation().is_some();
        let has_links = is_page && has_cursors(definition) && !is_deprecated;
        let headers = headers(
            is_deprecated,
            [
                ("ETag", is_tagged && self.resource.service.tags.is_some()),
                ("Link", has_links),
                ("Idempotent-Replayed", self.has_key()),
                ("Content-Location", is_item),
                ("Preference-Applied", self.represents()),
            ],
        );
        let headers = headers.with("Location", is_new.then(|| self.location()));
        let words = match success.content {
            Content::Location if self.represents() => NEW,
            _ => success.description,
        };
        response(words, headers, body)
    }

    /// The header of a new item.
    fn location(self) -> Object {
        let key = examples::key(self.resource.service.definition);
        let example = format!("{}/{key}", self.resource.path());
        // A relative reference is enough for `Location` (RFC 9110, section 10.2.2).
        let schema = object! { "type": "string", "format": "uri-reference" };
        header("Where the new item is.", schema, example).with("required", true)
    }

    /// The error codes of the operation, without those that cannot occur with this resource.
    fn errors(self) -> Vec<ErrorCode> {
        use ErrorCode::{MissingReference, NotUnique, StillInUse};

        let ResourceContext { api, service } = *self.resource;
        let operation = self.operation;
        // Tables of others have unique indexes and foreign keys that no attribute tells of.
        let table = service.definition.table_identifier();
        let mut tables = api.tables.iter().filter(|it| it.name == table);
        let is_of_others = tables.any(|it| it.existing);
        let occurs = |code: &&ErrorCode| match code {
            NotUnique | MissingReference | StillInUse if is_of_others => true,
            ErrorCode::MalformedAuthorization | ErrorCode::NoValidToken => api.schemes.is_some(),
            ErrorCode::InsufficientScope => api.schemes.is_some() && self.takes_scopes(),
            ErrorCode::QuotaUsedUp => api.has_quota,
            NotUnique => service.unique.iter().any(|it| self.may_set(it)),
            ErrorCode::IdempotencyKeyReused | ErrorCode::MalformedIdempotencyKey => self.has_key(),
            MissingReference => {
                let mut references = service.references.iter();
                references.any(|it| self.may_set(&it.attributes))
            }
            ErrorCode::IfMatchRequired => service.requires_if_match,
            // An update breaks a reference only by changing the attribute to which other items refer.
            StillInUse if operation == Operation::Update => {
                let mut attributes = service.definition.all_attributes().iter();
                attributes.any(|it| it.is_accepted_by(operation) && service.is_referred_to_by(it))
            }
            // A deletion breaks every reference to the item.
            StillInUse => !service.referrers.is_empty(),
            _ => true,
        };
        let own = operation.entry().errors.iter();
        let own = own.chain(OF_EVERY_OPERATION).filter(occurs);
        // A hook of a write may answer with any custom error. Statuses of the server have responses of their own.
        let of_server = ErrorCode::OF_THE_SERVER.map(ErrorCode::status);
        let reads = matches!(operation, Operation::List | Operation::Retrieve);
        let hooks = service.hooks.is_some() && !reads;
        let of_hooks = api.codes.iter().filter(|code| {
            hooks && matches!(code, ErrorCode::Custom(_)) && !of_server.contains(&code.status())
        });
        own.chain(of_hooks).copied().collect()
    }

    /// Tests whether the operation may set one of these attributes: a change of an item leaves its key as it is.
    fn may_set(self, attributes: &[usize]) -> bool {
        let all = self.resource.service.definition.all_attributes();
        let mut set = attributes.iter().filter_map(|index| all.get(*index));
        self.operation == Operation::Create || self.upserts() || set.any(|it| !it.is_primary_key())
    }

    /// Tests whether a missing scope is an error: of the operation, or of an attribute in a body. Responses leave such
    /// attributes out.
    fn takes_scopes(self) -> bool {
        let definition = self.resource.service.definition;
        let mut attributes = definition.all_attributes().iter();
        let writes = self.operation.entry().body.is_some();
        matches!(definition.access(self.operation), Access::Scopes(_))
            || writes && attributes.any(|it| it.scopes_to_write().is_some())
    }
}

/// The summary of an operation, with its resource: `List bill addresses`, `Get a bill address`.
fn summary_of(words: &str, definition: &ResourceDefinition) -> String {
    let items = definition.collection().replace(['-', '_'], " ");
    words
        .replace("{items}", &items)
        .replace("{an item}", &with_article(&in_words(definition.name())))
}

/// `an address`, `an API`, `a user`, `a URL`: nearly every word with a `u` that names a resource is spoken with a
/// consonant.
fn with_article(item: &str) -> String {
    let has_vowel = item.starts_with(|first: char| "aeio".contains(first.to_ascii_lowercase()));
    let article = if has_vowel { "an" } else { "a" };
    format!("{article} {item}")
}

/// `BillAddress` as `bill address`; words that are in capitals stay so.
fn in_words(name: &str) -> String {
    let is_small = |it: char| it.is_alphanumeric() && !it.is_uppercase();
    let spaced = name.replace(['_', '-'], " ");
    let spaced = spaced.chars().fold(String::new(), |mut spaced, character| {
        // A run of capitals is one word, so only its first letter can begin a word.
        if character.is_uppercase() && spaced.ends_with(is_small) {
            spaced.push(' ');
        }
        spaced.push(character);
        spaced
    });
    let words = spaced.split(' ').map(|word| match word.chars().nth(1) {
        // Two capitals at the beginning are those of an acronym.
        Some(second) if second.is_uppercase() => word.to_owned(),
        _ => word.to_lowercase(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{in_words, with_article};

    #[test]
    fn names_become_words() {
        for (name, words) in [
            ("Setting", "setting"),
            ("BillAddress", "bill address"),
            ("LineItem2", "line item2"),
            ("postal_address", "postal address"),
            ("URL", "URL"),
        ] {
            assert_eq!(in_words(name), words);
        }
    }

    #[test]
    fn an_article_suits_its_word() {
        for expected in [
            "an address",
            "an API",
            "an order item",
            "a user",
            "a URL",
            "a setting",
        ] {
            let (_, item) = expected.split_once(' ').unwrap();
            assert_eq!(with_article(item), expected);
        }
    }
}
