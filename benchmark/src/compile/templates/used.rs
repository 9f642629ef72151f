//! The use of a resource from Rust, appended to its definition.

impl Item {
    /// A filter, an insertion and an update.
    pub async fn used(api: &resource_runtime::Api) -> Result<Vec<Self>, resource_runtime::Error> {
        let items = api.items::<Self>();
        let draft = resource_runtime::new!(Item { name: "x", amount: 1, weight: 0.5, active: true });
        let item = items.insert(draft).await?;
        items.update(item.id).set(Self::NAME, "y").set(Self::NOTE, None).await?;
        let found = items.filter(Self::AMOUNT.gt(1).and(Self::NAME.starts_with("A")));
        found.order_by(Self::NAME.asc()).limit(20).all().await
    }
}
