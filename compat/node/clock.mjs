// Moves the clock of a server that was started with a test clock.
export async function advance(client, millis) {
  await client.db("admin").command({ mayflyClock: 1, advanceMillis: millis });
}
