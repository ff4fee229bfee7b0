"""The asynchronous client of azure-cosmos 4: azure.cosmos.aio, which needs aiohttp."""
import sys
import unittest

import mayfly

mayfly.need("4")
from azure.cosmos import PartitionKey, exceptions
from azure.cosmos.aio import CosmosClient

try:
    import aiohttp
except ImportError as missing:
    print(f"azure.cosmos.aio cannot be used here: {missing}")
    sys.exit(77)


class CosmosAio(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.client = CosmosClient(mayfly.TEST_CLOCK, mayfly.KEY)
        self.database = await self.client.create_database_if_not_exists("python-aio")

    async def asyncTearDown(self):
        await self.client.delete_database("python-aio")
        await self.client.close()

    async def assert_fails(self, status, awaited):
        with self.assertRaises(exceptions.CosmosHttpResponseError) as caught:
            await awaited
        self.assertEqual(caught.exception.status_code, status, caught.exception.message)

    async def test_items_queries_batches_and_changes(self):
        items = await self.database.create_container("items", PartitionKey(path="/pk"))
        for i in range(10):
            await items.create_item({"id": str(i), "pk": f"p{i % 2}", "n": i})
        await self.assert_fails(409, items.create_item({"id": "1", "pk": "p1"}))
        self.assertEqual((await items.read_item("1", "p1"))["n"], 1)
        await items.patch_item("1", "p1", [{"op": "incr", "path": "/n", "value": 100}])
        await items.replace_item("3", {"id": "3", "pk": "p1", "n": 300})
        await items.delete_item("5", "p1")
        query = items.query_items("SELECT VALUE c.n FROM c ORDER BY c.n DESC", max_item_count=3)
        self.assertEqual([n async for n in query], [300, 101, 9, 8, 7, 6, 4, 2, 0])
        query = items.query_items("SELECT VALUE SUM(c.n) FROM c", partition_key="p0")
        self.assertEqual([n async for n in query], [20])
        batch = [("upsert", ({"id": "x", "pk": "p0"},)), ("read", ("x",))]
        done = await items.execute_item_batch(batch, "p0")
        self.assertEqual([one["statusCode"] for one in done], [201, 200])
        self.assertEqual(len(await items.read_items([("x", "p0"), ("0", "p0"), ("5", "p1")])), 2)
        feed = items.query_items_change_feed(start_time="Beginning", partition_key="p1")
        self.assertEqual([one["id"] async for one in feed], ["7", "9", "1", "3"])
        await items.delete_all_items_by_partition_key("p1")
        self.assertEqual(len([one async for one in items.read_all_items()]), 6)

    async def test_nine_ttl_cases(self):
        for i, (default, ttl, lives) in enumerate(mayfly.NINE_CASES):
            with self.subTest(default=default, ttl=ttl):
                key = PartitionKey(path="/pk")
                items = await self.database.create_container(f"ttl{i}", key, default_ttl=default)
                await items.create_item(mayfly.item(ttl))
                mayfly.advance(1)
                await items.read_item("i", "p")
                mayfly.advance(1)
                count = items.query_items("SELECT VALUE COUNT(1) FROM c")
                self.assertEqual([n async for n in count], [1 if lives else 0])
                if not lives:
                    await self.assert_fails(404, items.read_item("i", "p"))
                    await self.assert_fails(404, items.delete_item("i", "p"))
                    await items.create_item(mayfly.item(None))


if __name__ == "__main__":
    unittest.main()
