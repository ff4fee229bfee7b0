"""The SDK of 2018 to 2019 (azure-cosmos 3, formerly pydocumentdb): links, options, capitalized method names."""
import unittest
import warnings

import mayfly

mayfly.need("3")
import azure.cosmos.cosmos_client as cosmos_client
import azure.cosmos.documents as documents
import azure.cosmos.errors as errors

warnings.simplefilter("ignore")


class Cosmos3(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        policy = documents.ConnectionPolicy()
        policy.DisableSSLVerification = True
        secure = mayfly.TEST_CLOCK.replace("http:", "https:")
        cls.client = cosmos_client.CosmosClient(secure, {"masterKey": mayfly.KEY}, policy)
        cls.database = cls.client.CreateDatabase({"id": "python3"})["_self"]

    @classmethod
    def tearDownClass(cls):
        cls.client.DeleteDatabase(cls.database)

    def assert_fails(self, status, function, *args):
        with self.assertRaises(errors.HTTPFailure) as caught:
            function(*args)
        self.assertEqual(caught.exception.status_code, status)

    def test_collection_with_a_partition_key(self):
        key = {"paths": ["/pk"], "kind": "Hash"}
        link = self.client.CreateContainer(self.database, {"id": "keyed", "partitionKey": key})["_self"]
        for i in range(10):
            self.client.CreateItem(link, {"id": str(i), "pk": f"p{i % 2}", "n": i})
        of = lambda pk: {"partitionKey": pk}
        read = self.client.ReadItem("dbs/python3/colls/keyed/docs/1", of("p1"))
        self.assertEqual(read["n"], 1)
        self.client.ReplaceItem(read["_self"], {**read, "n": 100}, of("p1"))
        self.client.UpsertItem(link, {"id": "new", "pk": "p0"})
        self.client.DeleteItem(read["_self"], of("p1"))
        self.assert_fails(404, self.client.ReadItem, read["_self"], of("p1"))
        across = {"enableCrossPartitionQuery": True, "maxItemCount": 3}
        ordered = self.client.QueryItems(link, "SELECT VALUE r.n FROM r ORDER BY r.n DESC", across)
        self.assertEqual(list(ordered), [9, 8, 7, 6, 5, 4, 3, 2, 0])
        within = self.client.QueryItems(link, "SELECT VALUE COUNT(1) FROM r", of("p0"))
        self.assertEqual(list(within), [6])
        fed = {"isStartFromBeginning": True, "partitionKeyRangeId": "0"}
        self.assertEqual(len(list(self.client.QueryItemsChangeFeed(link, fed))), 10)

    def test_nine_ttl_cases_without_a_partition_key(self):
        for i, (default, ttl, lives) in enumerate(mayfly.NINE_CASES):
            with self.subTest(default=default, ttl=ttl):
                definition = {"id": f"ttl{i}"} if default is None else {"id": f"ttl{i}", "defaultTtl": default}
                link = self.client.CreateContainer(self.database, definition)["_self"]
                created = self.client.CreateItem(link, mayfly.item(ttl))["_self"]
                mayfly.advance(1)
                self.client.ReadItem(created)
                mayfly.advance(1)
                self.assertEqual(len(list(self.client.QueryItems(link, "SELECT * FROM r"))), int(lives))
                if not lives:
                    self.assert_fails(404, self.client.ReadItem, created)
                    self.assert_fails(404, self.client.DeleteItem, created)
                    self.client.CreateItem(link, mayfly.item(None))

    def test_invalid_ttls_fail(self):
        link = self.client.CreateContainer(self.database, {"id": "wrong", "defaultTtl": 5})["_self"]
        for ttl in mayfly.INVALID_TTLS:
            self.assert_fails(400, self.client.CreateItem, link, {**mayfly.item(None), "ttl": ttl})
        for default in [0, -10]:
            self.assert_fails(400, self.client.CreateContainer, self.database, {"id": "none", "defaultTtl": default})


if __name__ == "__main__":
    unittest.main()
