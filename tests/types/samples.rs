//! Samples of one type: a macro that declares their resource and its service.

/// The collection of the samples.
pub(crate) const SAMPLES: &str = "/api/1.0/samples";

/// Declares a resource with two attributes of this type, one of them nullable, and its services.
macro_rules! samples_of {
    ($type:ty) => {
        #[derive(Debug, resource_runtime::ApiResource)]
        #[resource(name = "Sample", url = "/samples", version = "1.0")]
        struct Sample {
            id: i64,
            value: $type,
            maybe: Option<$type>,
        }

        fn samples() -> resource_tests::Service {
            resource_tests::Service::start(|database| {
                resource_runtime::Api::builder()
                    .resource::<Sample>()
                    .build(database)
            })
        }

        /// With one sample, of this value.
        fn one_sample(literal: &str) -> resource_tests::Service {
            let service = samples();
            crate::round_trip::create(
                &service,
                crate::samples::SAMPLES,
                &format!(r#"{{"value":{literal}}}"#),
            );
            service
        }
    };
}

pub(crate) use samples_of;
