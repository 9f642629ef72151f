//! `new!` works by another name and without a prelude, with raw identifiers, private fields and shorthands.

#![deny(warnings)]
#![no_implicit_prelude]

mod shop {
    use ::resource_runtime::{ApiResource, Draft, new as draft};
    use ::std::option::Option;
    use ::std::string::String;

    #[derive(ApiResource)]
    #[resource(name = "Ware", url = "/wares", version = "1.0")]
    pub struct Ware {
        pub id: i64,
        r#type: String,
        price: Option<i64>,
        #[resource(default = "new")]
        state: String,
    }

    pub fn ware(price: i64) -> Draft<Ware> {
        draft!(self::Ware {
            r#type: "cheap",
            price
        })
        .set(Ware::STATE, "old")
    }
}

#[::core::prelude::v1::test]
fn it_compiles() {
    #[derive(::resource_runtime::ApiResource)]
    #[resource(name = "Empty", url = "/empty", version = "1.0")]
    struct Empty {
        id: i64,
    }

    ::std::mem::drop((shop::ware(5), ::resource_runtime::new!(Empty {})));
}
