import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, findAccountByAddress, findSharedMailboxes, isAddressTaken } from "./repository.js";

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "test", logger });
  // The second and third are of before one mailbox was one account.
  await database.prisma.user.createMany({
    data: [
      { username: "oldest", email: "Ann.x@Example.ORG" },
      { username: "middle", email: "ann.x@example.org", shares_mailbox: true },
      { username: "newest", email: "ANN.X@EXAMPLE.ORG", shares_mailbox: true },
      { username: "other", email: "Ann@example.org" },
      { username: "nobody" },
    ],
  });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

test.each([
  ["Ann.x@Example.ORG", "oldest"],
  ["ann.x@example.org", "middle"],
  ["ANN.X@EXAMPLE.ORG", "newest"],
  ["aNN.x@exAMPle.oRG", "oldest"],
  ["ANN@EXAMPLE.ORG", "other"],
  ["annx@example.org", undefined],
])(
  "the account with the address %s is found by its own spelling first, then by its mailbox",
  async (address, username) => {
    expect((await findAccountByAddress(database, address))?.username).toBe(username);
  },
);

test.each([
  ["ann.X@example.org", true],
  ["Ann.x@Example.ORG", true],
  ["ANN@example.org", true],
  ["ann.y@example.org", false],
  [null, false],
])("another account with the address %s is refused where its mailbox has one: %s", async (email, isTaken) => {
  const data = { username: `n_${crypto.randomUUID().slice(0, 8)}`, email, password_hash: null, registered_with: null };
  const outcome = database
    .transaction((transaction) => createAccount(transaction, data))
    .then(
      () => false,
      (error: unknown) => isAddressTaken(error) || Promise.reject(error),
    );
  expect(await outcome).toBe(isTaken);
});

test("accounts whose mailbox an older one has are named, up to a number", async () => {
  expect(await findSharedMailboxes(database, 100)).toEqual(["middle", "newest"]);
  expect(await findSharedMailboxes(database, 1)).toEqual(["middle"]);
});
