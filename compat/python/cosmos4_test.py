"""Common operations of the Python SDK for Azure Cosmos DB (azure-cosmos 4)."""
import datetime
import unittest

import mayfly

mayfly.need("4")
from azure.core import MatchConditions
from azure.cosmos import CosmosClient, PartitionKey, ThroughputProperties, exceptions
from azure.cosmos.partition_key import NonePartitionKeyValue


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = CosmosClient(mayfly.TEST_CLOCK, mayfly.KEY)
        cls.database = cls.client.create_database_if_not_exists("python")

    @classmethod
    def tearDownClass(cls):
        cls.client.delete_database("python")

    def container(self, name, key="/pk", **more):
        return self.database.create_container(name, PartitionKey(path=key), **more)

    def assert_fails(self, status, function, *args, **named):
        with self.assertRaises(exceptions.CosmosHttpResponseError) as caught:
            function(*args, **named)
        self.assertEqual(caught.exception.status_code, status, caught.exception.message)


class Cosmos4(Case):
    def test_items_are_created_read_replaced_upserted_patched_and_deleted(self):
        items = self.container("items")
        created = items.create_item({"id": "1", "pk": "p", "n": 1})
        self.assertGreater(float(created.get_response_headers()["x-ms-request-charge"]), 0)
        self.assert_fails(409, items.create_item, {"id": "1", "pk": "p"})
        self.assert_fails(400, items.create_item, {"pk": "p"})
        self.assertEqual(items.read_item("1", "p"), created)
        replaced = items.replace_item("1", {"id": "1", "pk": "p", "n": 2})
        self.assert_fails(
            412,
            items.replace_item,
            "1",
            created,
            etag=created["_etag"],
            match_condition=MatchConditions.IfNotModified,
        )
        self.assertEqual(items.upsert_item({**replaced, "n": 3})["_rid"], created["_rid"])
        self.assertEqual(items.upsert_item({"id": "2", "pk": "p"}, no_response=True), {})
        patched = items.patch_item(
            "1",
            "p",
            [
                {"op": "incr", "path": "/n", "value": 4},
                {"op": "add", "path": "/colour", "value": "red"},
                {"op": "move", "from": "/colour", "path": "/color"},
            ],
            filter_predicate="from c where c.n = 3",
        )
        self.assertEqual((patched["n"], patched["color"]), (7, "red"))
        self.assert_fails(
            412,
            items.patch_item,
            "1",
            "p",
            [{"op": "set", "path": "/n", "value": 0}],
            filter_predicate="from c where c.n = 3",
        )
        found = items.read_items([("1", "p"), ("none", "p"), ("2", "p")])
        self.assertEqual([one["id"] for one in found], ["1", "2"])
        items.delete_item("1", "p")
        self.assert_fails(404, items.read_item, "1", "p")
        items.delete_all_items_by_partition_key("p")
        self.assertEqual(list(items.read_all_items()), [])

    def test_partition_keys_of_all_types(self):
        keys = self.container("keys")
        for key in [True, False, "text", 100, 10.5]:
            keys.create_item({"id": "1", "pk": key})
            self.assertEqual(keys.read_item("1", key)["pk"], key)
        for undefined in [{"id": "1"}, {"id": "2", "pk": {"an": "object"}}]:
            keys.create_item(undefined)
            self.assertIn("_rid", keys.read_item(undefined["id"], NonePartitionKeyValue))
        query = keys.query_items("SELECT VALUE c.id FROM c", partition_key=NonePartitionKeyValue)
        self.assertEqual(sorted(query), ["1", "2"])
        levels = self.database.create_container(
            "levels", PartitionKey(path=["/state", "/city", "/zip"], kind="MultiHash")
        )
        for i, (city, zip_code) in enumerate([("Ojai", "1"), ("Oxnard", "1"), ("Oxnard", "2")]):
            levels.create_item({"id": str(i), "state": "CA", "city": city, "zip": zip_code})
        self.assertEqual(levels.read_item("2", ["CA", "Oxnard", "2"])["id"], "2")
        count = lambda key: len(list(levels.query_items("SELECT * FROM c", partition_key=key)))
        self.assertEqual([count(["CA"]), count(["CA", "Oxnard"]), count(["WA"])], [3, 2, 0])
        self.assert_fails(400, levels.read_item, "2", ["CA", "Oxnard"])

    def test_queries_select_group_order_and_page(self):
        people = self.container("people")
        for i in range(40):
            people.create_item({"id": str(i), "pk": f"p{i % 4}", "n": i, "g": f"g{i % 3}"})

        def query(text, parameters=None, **more):
            return list(people.query_items(text, parameters, enable_cross_partition_query=True, **more))

        self.assertEqual(query("SELECT VALUE COUNT(1) FROM c"), [40])
        self.assertEqual(query("SELECT VALUE AVG(c.n) FROM c"), [19.5])
        above = [{"name": "@n", "value": 36}]
        text = "SELECT VALUE c.n FROM c WHERE c.n > @n ORDER BY c.n DESC"
        self.assertEqual(query(text, above), [39, 38, 37])
        self.assertEqual(query("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 2"), [5, 6])
        self.assertEqual(query("SELECT TOP 2 VALUE c.n FROM c ORDER BY c.n"), [0, 1])
        self.assertEqual(sorted(query("SELECT DISTINCT VALUE c.g FROM c")), ["g0", "g1", "g2"])
        groups = query("SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g")
        self.assertEqual(sorted((one["g"], one["n"]) for one in groups), [("g0", 14), ("g1", 13), ("g2", 13)])
        self.assertEqual(len(list(people.query_items("SELECT * FROM c", partition_key="p1"))), 10)
        some = people.feed_range_from_partition_key("p1")
        self.assertEqual(len(list(people.query_items("SELECT * FROM c", feed_range=some))), 10)
        ordered = "SELECT VALUE c.n FROM c ORDER BY c.n"
        self.assertEqual(query(ordered, max_item_count=7), list(range(40)))
        pages = people.query_items("SELECT VALUE c.n FROM c", partition_key="p2", max_item_count=3).by_page()
        first = list(next(pages))
        more = people.query_items("SELECT VALUE c.n FROM c", partition_key="p2").by_page(pages.continuation_token)
        self.assertEqual(sorted(first + [n for page in more for n in page]), list(range(2, 40, 4)))
        headers = []
        query("SELECT * FROM c WHERE c.n > 3", populate_query_metrics=True, response_hook=lambda all, _: headers.append(dict(all)))
        self.assertIn("x-ms-documentdb-query-metrics", headers[-1])
        self.assert_fails(400, query, "SELECT * FORM c")

    def test_batch_is_atomic(self):
        batches = self.container("batches")
        item = {"id": "1", "pk": "p", "n": 1}
        done = batches.execute_item_batch(
            [
                ("create", (item,)),
                ("patch", ("1", [{"op": "incr", "path": "/n", "value": 1}])),
                ("read", ("1",)),
            ],
            "p",
        )
        self.assertEqual([one["statusCode"] for one in done], [201, 200, 200])
        self.assertEqual(done[2]["resourceBody"]["n"], 2)
        with self.assertRaises(exceptions.CosmosBatchOperationError) as caught:
            batches.execute_item_batch([("delete", ("1",)), ("create", ({"id": "2", "pk": "q"},))], "p")
        self.assertEqual([one["statusCode"] for one in caught.exception.operation_responses], [424, 400])
        self.assertEqual(batches.read_item("1", "p")["n"], 2)

    def test_change_feed_returns_changes(self):
        changes = self.container("changes")
        ids = lambda **options: [one["id"] for one in changes.query_items_change_feed(**options)]
        for i in range(4):
            changes.create_item({"id": str(i), "pk": f"p{i % 2}"})
        self.assertEqual(ids(start_time="Beginning"), ["0", "1", "2", "3"])
        self.assertEqual(ids(start_time="Beginning", partition_key="p1", max_item_count=1), ["1", "3"])
        self.assertEqual(ids(), [])
        token = changes.client_connection.last_response_headers["etag"]
        changes.upsert_item({"id": "1", "pk": "p1", "again": True})
        self.assertEqual(ids(continuation=token), ["1"])
        past = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
        self.assertEqual(len(ids(start_time=past)), 4)
        list(changes.query_items_change_feed(mode="AllVersionsAndDeletes"))
        token = changes.client_connection.last_response_headers["etag"]
        changes.create_item({"id": "v", "pk": "p0"})
        changes.delete_item("v", "p0")
        versions = changes.query_items_change_feed(continuation=token)
        self.assertEqual([one["metadata"]["operationType"] for one in versions], ["create", "delete"])

    def test_container_policies_are_stored(self):
        policy = {
            "includedPaths": [{"path": "/a/?"}],
            "excludedPaths": [{"path": "/*"}],
            "compositeIndexes": [[{"path": "/a", "order": "ascending"}, {"path": "/b", "order": "descending"}]],
        }
        lower = [{"name": "lower", "query": "SELECT VALUE LOWER(c.name) FROM c"}]
        unique = {"uniqueKeys": [{"paths": ["/email"]}]}
        kept = self.container("kept", indexing_policy=policy, unique_key_policy=unique, computed_properties=lower)
        reported = kept.read(populate_partition_key_range_statistics=True, populate_quota_info=True)
        self.assertEqual(reported["indexingPolicy"]["excludedPaths"], [{"path": "/*"}, {"path": '/"_etag"/?'}])
        self.assertEqual(reported["indexingPolicy"]["compositeIndexes"], policy["compositeIndexes"])
        self.assertEqual((reported["uniqueKeyPolicy"], reported["computedProperties"]), (unique, lower))
        self.assertEqual(reported["statistics"][0]["documentCount"], 0)
        kept.create_item({"id": "1", "pk": "p", "name": "ADA", "email": "a@b"})
        self.assert_fails(409, kept.create_item, {"id": "2", "pk": "p", "email": "a@b"})
        query = kept.query_items("SELECT VALUE c.id FROM c WHERE c.lower = 'ada'", partition_key="p")
        self.assertEqual(list(query), ["1"])
        self.assert_fails(400, self.database.replace_container, kept, PartitionKey(path="/other"))

    def test_throughput_is_read_and_replaced(self):
        paid = self.container("paid", offer_throughput=1000)
        paid.replace_throughput(2000)
        self.assertEqual(paid.get_throughput().offer_throughput, 2000)
        most = ThroughputProperties(auto_scale_max_throughput=5000, auto_scale_increment_percent=10)
        reported = self.container("scaled", offer_throughput=most).get_throughput()
        self.assertEqual((reported.auto_scale_max_throughput, reported.auto_scale_increment_percent), (5000, 10))

    def test_resource_token_has_the_scope_of_its_permission(self):
        shop = self.container("shop", "/id")
        shop.create_item({"id": "1"})
        ann = self.database.create_user({"id": "ann"})
        link = "dbs/python/colls/shop"
        token = ann.create_permission({"id": "p", "permissionMode": "Read", "resource": link}).properties["_token"]
        reader = CosmosClient(mayfly.TEST_CLOCK, {link: token}).get_database_client("python").get_container_client("shop")
        self.assertEqual(reader.read_item("1", "1")["id"], "1")
        self.assert_fails(403, reader.delete_item, "1", "1")
        self.assert_fails(401, CosmosClient, mayfly.TEST_CLOCK, "d3Jvbmc=")

    def test_scripts_are_stored_and_conflicts_are_empty(self):
        kept = self.container("scripts")
        kept.scripts.create_stored_procedure({"id": "s", "body": "function() {}"})
        self.assertEqual(kept.scripts.get_stored_procedure("s")["body"], "function() {}")
        self.assert_fails(501, kept.scripts.execute_stored_procedure, "s", "p")
        self.assertEqual(list(kept.list_conflicts()), [])
        self.assert_fails(404, kept.get_conflict, "c", "p")

    def test_tls_with_the_self_signed_certificate(self):
        secure = CosmosClient(mayfly.TEST_CLOCK.replace("http:", "https:"), mayfly.KEY, connection_verify=False)
        self.assertEqual(secure.get_database_client("python").read()["id"], "python")


class TimeToLive(Case):
    def timed(self, database, default, **more):
        name = f"ttl-{default}-{len(more)}-{self.id()[-20:]}-{len(list(database.list_containers()))}"
        return database.create_container(name, PartitionKey(path="/pk"), default_ttl=default, **more)

    def lives(self, items):
        try:
            return items.read_item("i", "p")["id"] == "i"
        except exceptions.CosmosResourceNotFoundError:
            return False

    def gone_for_everything(self, items):
        self.assertFalse(self.lives(items))
        self.assert_fails(404, items.replace_item, "i", mayfly.item(None))
        self.assert_fails(404, items.patch_item, "i", "p", [{"op": "add", "path": "/a", "value": 1}])
        self.assert_fails(404, items.delete_item, "i", "p")
        count = items.query_items("SELECT VALUE COUNT(1) FROM c", enable_cross_partition_query=True)
        self.assertEqual(list(count), [0])
        self.assertEqual(list(items.read_all_items()), [])
        self.assertEqual(list(items.query_items_change_feed(start_time="Beginning")), [])
        self.assertEqual(len(items.read_items([("i", "p")])), 0)
        self.assertNotIn("ttl", items.create_item(mayfly.item(None)))

    def test_nine_ttl_cases(self):
        for default, ttl, lives in mayfly.NINE_CASES:
            with self.subTest(default=default, ttl=ttl):
                items = self.timed(self.database, default)
                self.assertEqual(items.read().get("defaultTtl"), default)
                self.assertEqual(items.create_item(mayfly.item(ttl)).get("ttl"), ttl)
                mayfly.advance(1)
                self.assertTrue(self.lives(items))
                mayfly.advance(1)
                self.assertEqual(self.lives(items), lives)
                if not lives:
                    self.gone_for_everything(items)

    def test_nine_ttl_cases_on_the_system_clock(self):
        client = CosmosClient(mayfly.SYSTEM_CLOCK, mayfly.KEY)
        database = client.create_database("python-seconds")
        cases = [(self.timed(database, default), ttl, lives) for default, ttl, lives in mayfly.NINE_CASES]
        for items, ttl, _ in cases:
            items.create_item(mayfly.item(ttl))
        for items, _, lives in cases:
            if not lives:
                self.assertTrue(mayfly.eventually(lambda: not self.lives(items)))
                self.gone_for_everything(items)
        for items, _, lives in cases:
            if lives:
                self.assertTrue(self.lives(items))
        client.delete_database("python-seconds")

    def test_writes_restart_the_ttl_and_reads_do_not(self):
        writes = {
            "upsert": lambda items: items.upsert_item(mayfly.item(None)),
            "replace": lambda items: items.replace_item("i", mayfly.item(None)),
            "patch": lambda items: items.patch_item("i", "p", [{"op": "set", "path": "/a", "value": 1}]),
            "batch": lambda items: items.execute_item_batch([("upsert", (mayfly.item(None),))], "p"),
        }
        for name, write in writes.items():
            with self.subTest(name):
                items = self.timed(self.database, 10)
                items.create_item(mayfly.item(None))
                mayfly.advance(9)
                write(items)
                mayfly.advance(9)
                self.assertTrue(self.lives(items))
                mayfly.advance(1)
                self.gone_for_everything(items)

    def test_ttl_of_an_item_is_changed_and_removed(self):
        items = self.timed(self.database, 10)
        items.create_item(mayfly.item(100))
        items.patch_item("i", "p", [{"op": "set", "path": "/ttl", "value": -1}])
        mayfly.advance(1000)
        self.assertTrue(self.lives(items))
        items.patch_item("i", "p", [{"op": "remove", "path": "/ttl"}])
        mayfly.advance(10)
        self.gone_for_everything(items)

    def test_default_ttl_is_changed_and_removed(self):
        items = self.timed(self.database, 100)
        items.create_item(mayfly.item(None))
        mayfly.advance(50)
        items.create_item({"id": "young", "pk": "p"})
        key = PartitionKey(path="/pk")
        self.database.replace_container(items, key, default_ttl=30)
        self.assertFalse(self.lives(items))
        self.database.replace_container(items, key)
        self.assertNotIn("defaultTtl", items.read())
        mayfly.advance(1000)
        self.assertEqual([one["id"] for one in items.read_all_items()], ["young"])

    def test_unique_key_of_an_expired_item_is_free(self):
        items = self.timed(self.database, 10, unique_key_policy={"uniqueKeys": [{"paths": ["/email"]}]})
        items.create_item(mayfly.item(None, email="a@b"))
        self.assert_fails(409, items.create_item, {"id": "j", "pk": "p", "email": "a@b"})
        mayfly.advance(10)
        items.create_item({"id": "j", "pk": "p", "email": "a@b"})

    def test_all_versions_feed_reports_expiry(self):
        items = self.timed(self.database, 10)
        list(items.query_items_change_feed(mode="AllVersionsAndDeletes"))
        token = items.client_connection.last_response_headers["etag"]
        items.create_item(mayfly.item(None))
        mayfly.advance(10)
        changes = lambda: [one["metadata"] for one in items.query_items_change_feed(continuation=token)]
        self.assertTrue(mayfly.eventually(lambda: len(changes()) == 2))
        self.assertEqual(changes()[1]["operationType"], "delete")
        self.assertTrue(changes()[1]["timeToLiveExpired"])

    def test_invalid_ttls_fail(self):
        items = self.timed(self.database, -1)
        for ttl in mayfly.INVALID_TTLS:
            with self.subTest(ttl=ttl):
                self.assert_fails(400, items.create_item, {**mayfly.item(None), "ttl": ttl})
        for default in [0, -2]:
            self.assert_fails(400, self.timed, self.database, default)


if __name__ == "__main__":
    unittest.main()
