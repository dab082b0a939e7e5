import type { PersonRecord } from "@parley/archives";
import { visibleName } from "@parley/contracts";
import { candidatesOf, idOf, nextFree, reserved, usernameOf } from "../core/texts.js";
import { recordsOf } from "../reading/repository.js";
import {
  claimByAddress,
  findPeopleNames,
  findTakenNames,
  firstTimes,
  insertPeople,
  type KnownPerson,
  type NewPerson,
  updatePeople,
} from "./people-repository.js";
import { findItems } from "./repository.js";
import { cut, step, type Writing } from "./writing.js";

/** People of one statement. */
const peopleMax = 200;
const displayNameMax = 32;

/** @returns the people by their external ids, as accounts without log-in or those that have claimed them */
export async function makePeople(
  writing: Writing,
  roles: Map<string, { id: string }>,
): Promise<Map<string, KnownPerson>> {
  const { importer, importId, workspace, options } = writing;
  const { database, config } = importer;
  const known = await findItems(database, workspace, "person");
  const first = await firstTimes(database, importId);
  const now = Date.now();
  let [fresh, changed]: [NewPerson[], NewPerson[]] = [[], []];
  const flush = async () => {
    const [added, updated] = [fresh, changed];
    [fresh, changed] = [[], []];
    if (updated.length > 0) await step(writing, (transaction) => updatePeople(transaction, workspace, updated));
    if (added.length === 0) return;
    await nameAccounts(writing, added, config.PARLEY_ADMINS);
    await step(writing, (transaction) => insertPeople(transaction, writing, added));
  };
  /** The person's place in the archive, in which ids of one millisecond rise. */
  let place = 0;
  for await (const record of recordsOf<PersonRecord>(database, importId, "person")) {
    place += 1;
    const at = Math.min(Math.max(record.createdAt ?? first.get(record.id) ?? now, 0), now);
    const person: NewPerson = {
      id: idOf(at, place),
      username: usernameOf(record),
      created_at: new Date(at).toISOString(),
      external_id: record.id,
      name: record.name,
      display_name: displayNameOf(record.name, record.username),
      email: record.email,
      email_verified: record.email !== null && !record.isBot && (record.emailVerified || options.claim_by_email),
      is_bot: record.isBot,
      deleted: record.deleted,
      role_ids: record.roles.flatMap((role) => roles.get(role)?.id ?? []),
    };
    (known.has(record.id) ? changed : fresh).push(person);
    if (fresh.length >= peopleMax || changed.length >= peopleMax) await flush();
  }
  await flush();
  await claimByAddress(database, workspace);
  return new Map((await findPeopleNames(database, workspace)).map((person) => [person.external_id, person]));
}

function displayNameOf(name: string, username: string): string | null {
  const shown = cut(visibleName(name), displayNameMax).trim();
  return shown === "" || shown === username ? null : shown;
}

/** Gives each person a name that no account has. */
async function nameAccounts({ importer: { database } }: Writing, people: NewPerson[], admins: readonly string[]) {
  const waiting = people.map((person) => ({
    person,
    candidates: candidatesOf(person.username, [...reserved, ...admins]),
  }));
  const given = new Set<string>();
  while (waiting.length > 0) {
    const round = waiting.splice(0).map((entry) => ({ ...entry, name: nextFree(entry.candidates, given) }));
    const taken = new Set(
      await findTakenNames(
        database,
        round.map(({ name }) => name),
      ),
    );
    for (const { person, candidates, name } of round) {
      if (taken.has(name)) waiting.push({ person, candidates });
      else person.username = name;
    }
  }
}
