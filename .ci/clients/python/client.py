"""The client that is generated from the description of the address book: client.py <base URL>."""

import sys

from address_book import Client
from address_book.api.address import (
    create_address,
    delete_address,
    list_address,
    patch_address,
    retrieve_address,
    update_address,
)
from address_book.api.label import create_label, delete_label, retrieve_label, update_label
from address_book.api.person import create_person
from address_book.models import (
    Address,
    AddressCreate,
    AddressPage,
    AddressUpdate,
    Error,
    Label,
    LabelCreate,
    LabelUpdate,
    PersonCreate,
)
from address_book.types import Unset

client = Client(base_url=sys.argv[1])


def segment_at(location: str) -> str:
    return location.rsplit("/", 1)[1]


def id_at(location: str) -> int:
    return int(segment_at(location))


# A request that is sent again with its key creates nothing.
address = AddressCreate(line1="1 Main Street", city="Oslo")
key = "python-8e03978e-40d5-43dd"
created = create_address.sync_detailed(client=client, body=address, idempotency_key=key)
assert created.status_code == 201
again = create_address.sync_detailed(client=client, body=address, idempotency_key=key)
assert again.headers["idempotent-replayed"] == "true"
assert again.headers["location"] == created.headers["location"]
other = create_address.sync(client=client, body=AddressCreate(line1="2"), idempotency_key=key)
assert isinstance(other, Error) and other.error_code == 10043
item_id = id_at(created.headers["location"])

page = list_address.sync(client=client, filter_='eq(city,"Oslo")', limit=5)
assert isinstance(page, AddressPage) and page.total_items == 1
assert page.items[0].line1 == "1 Main Street"

# A change is refused where the item is no longer as it was read.
tag = retrieve_address.sync_detailed(item_id, client=client).headers["etag"]
unchanged = retrieve_address.sync_detailed(item_id, client=client, if_none_match=tag)
assert unchanged.status_code == 304
change = AddressUpdate(city="Bergen")
changed = update_address.sync_detailed(item_id, client=client, body=change, if_match=tag)
assert changed.status_code == 204
stale = update_address.sync_detailed(item_id, client=client, body=change, if_match=tag)
assert stale.status_code == 412
assert isinstance(stale.parsed, Error) and stale.parsed.error_code == 10040

patched = patch_address.sync(
    item_id,
    client=client,
    body=AddressUpdate(city=None),
    if_match=changed.headers["etag"],
    prefer="return=representation",
)
assert isinstance(patched, Address)
assert patched.city is None and patched.line1 == "1 Main Street"

# Pages by cursor, to the last one.
ids = [item_id]
for line1 in ["2", "3", "4", "5"]:
    one = create_address.sync_detailed(client=client, body=AddressCreate(line1=line1))
    ids.append(id_at(one.headers["location"]))
walked: list[int] = []
cursor: str | Unset | None = "start"
while isinstance(cursor, str):
    page = list_address.sync(client=client, cursor=cursor, limit=2, order="desc(id)")
    assert isinstance(page, AddressPage)
    walked += [item.id for item in page.items]
    cursor = page.next_
assert walked == ids[::-1]

for one_id in ids:
    assert delete_address.sync_detailed(one_id, client=client).status_code == 204
gone = retrieve_address.sync(item_id, client=client)
assert isinstance(gone, Error) and gone.error_code == 10001

# A key of two parts, one of them a text of any characters, as `Location` tells it.
person = create_person.sync_detailed(client=client, body=PersonCreate(first_name="Ann"))
label = LabelCreate(person_id=id_at(person.headers["location"]), name="50%2C, a/b ~é")
labelled = create_label.sync_detailed(client=client, body=label)
label_id = segment_at(labelled.headers["location"])
remark = LabelUpdate(remark="new")
assert update_label.sync_detailed(label_id, client=client, body=remark).status_code == 204
read = retrieve_label.sync(label_id, client=client)
assert isinstance(read, Label) and read.remark == "new"
assert (read.person_id, read.name) == (label.person_id, label.name)
assert delete_label.sync_detailed(label_id, client=client).status_code == 204
gone = retrieve_label.sync(label_id, client=client)
assert isinstance(gone, Error) and gone.error_code == 10001
print("Python: passed")
