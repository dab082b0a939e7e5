import { createHmac } from "node:crypto";
import { connectDatabase } from "@parley/database/prisma";
import { openChessClub } from "./chess-club.js";
import { converse, type DemoPeople, demoUsernames, reactTo, registerPeople, showPicture } from "./people.js";

const passwordLength = 12;

/** An installation that may be filled, and its secret, from which the password of the demo's people is derived. */
interface Installation {
  /** An api: the edge may listen where this machine does not reach it by name. */
  readonly apiUrl: string;
  readonly databaseUrl: string;
  readonly secret: string;
}

/**
 * Fills an installation without accounts with a small community, through the public API. An installation with accounts
 * is not changed.
 *
 * @returns sentences for the person at the terminal
 */
export async function fillWithDemo({ apiUrl, databaseUrl, secret }: Installation): Promise<string[]> {
  const accounts = await countAccounts(databaseUrl);
  // The same for every start on the same data, and another one everywhere else, where strangers may reach the edge.
  const password = createHmac("sha256", secret).update("demo").digest("base64url").slice(0, passwordLength);
  const others = demoUsernames.slice(1).join(", ");
  const whom = `Log in as ann with the password ${password} (${others} have the same one).`;
  if (accounts.all > 0) {
    const kept = "The installation has accounts already, so --demo has changed nothing.";
    return accounts.ofDemo === demoUsernames.length ? [kept, `From an earlier --demo: ${whom}`] : [kept];
  }
  const people = await registerPeople(apiUrl, password);
  await openChessClub(apiUrl, people);
  await openPrintShop(people);
  return [`The demo is ready. ${whom}`];
}

async function countAccounts(databaseUrl: string): Promise<{ all: number; ofDemo: number }> {
  const logger = { info: () => undefined, warn: () => undefined };
  const database = await connectDatabase({ url: databaseUrl, poolMax: 1, applicationName: "parley-demo", logger });
  try {
    const { user } = database.prisma;
    return { all: await user.count(), ofDemo: await user.count({ where: { username: { in: [...demoUsernames] } } }) };
  } finally {
    await database.close();
  }
}

/** A second, smaller server, of Carla's; Ann is a member. */
async function openPrintShop(people: DemoPeople): Promise<void> {
  const { ann, ben, carla, elif } = people;
  const server = await carla.client.servers.create({ name: "Print & Ink", is_public: true });
  for (const { client } of [ann, elif]) await client.servers.join(server.id);
  const workshop = await carla.client.channels.create(server.id, { name: "workshop", topic: "Type, paper, ink" });
  const showcase = await carla.client.channels.create(server.id, { name: "showcase", topic: "Finished prints only" });
  await converse(people, workshop, [
    ["carla", "The poster for the tournament is on the press. Two colours, 60 copies."],
    ["elif", "May I photograph it while it is wet?"],
    ["carla", "From a distance. @ann needs twenty of them."],
  ]);
  const print = await showPicture(people, showcase, {
    by: "carla",
    content: "The harbour in two colours. Linocut, 30 × 40 cm.",
    picture: "linocut.png",
  });
  await reactTo(people, print, "🖨️", ["ann", "elif"]);

  const direct = await ben.client.directMessages.open({ user_id: ann.user.id });
  await ben.client.directMessages.send(direct.id, { content: "Can you bring the spare key on Friday?" });
  const posters = await carla.client.directMessages.open({ user_id: ann.user.id });
  await carla.client.directMessages.send(posters.id, { content: "The posters are dry. Come and fetch them." });
  await ann.client.directMessages.send(posters.id, { content: "Tomorrow at ten?" });
}
