// Advances the clock of a server with --test-clock.
export async function advance(client, millis) {
  await client.db("admin").command({ mayflyClock: 1, advanceMillis: millis });
}
