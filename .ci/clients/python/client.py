"""The client that is generated from the description of the address book: client.py <base URL>."""

import sys

from address_book import Client
from address_book.api.address import (
    create_address,
    delete_address,
    list_address,
    retrieve_address,
    update_address,
)
from address_book.models import Address, AddressCreate, AddressPage, AddressUpdate, Error

client = Client(base_url=sys.argv[1])

address = AddressCreate(line1="1 Main Street", city="Oslo")
created = create_address.sync_detailed(client=client, body=address)
assert created.status_code == 201
item_id = int(created.headers["location"].rsplit("/", 1)[1])

page = list_address.sync(client=client, filter_='eq(city,"Oslo")', limit=5)
assert isinstance(page, AddressPage) and page.total_items == 1
assert page.items[0].line1 == "1 Main Street"

changed = update_address.sync_detailed(item_id, client=client, body=AddressUpdate(city="Bergen"))
assert changed.status_code == 204
item = retrieve_address.sync(item_id, client=client)
assert isinstance(item, Address) and item.city == "Bergen"

removed = delete_address.sync_detailed(item_id, client=client)
assert removed.status_code == 204
gone = retrieve_address.sync(item_id, client=client)
assert isinstance(gone, Error) and gone.error_code == 10001
print("Python: passed")
