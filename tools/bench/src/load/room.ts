import { Channel, Invite, Server } from "@parley/contracts";
import { type Accounts, inTurn } from "./accounts.js";
import type { Installation } from "./installation.js";

/** A private server of some of the accounts, and the channel that they write in. */
export interface Room {
  channelId: string;
  members: number[];
}

/** Puts the accounts into servers of a size, each account into one. */
export async function makeRooms(
  installation: Installation,
  accounts: Accounts,
  { users, size }: { users: number; size: number },
): Promise<Room[]> {
  const rooms: (Room & { code: string })[] = [];
  for (let first = 0; first < users; first += size) {
    const token = await accounts.token(installation, first);
    const post = (path: string, body: object) => installation.patiently("POST", path, { token, body });
    const server = Server.pick({ id: true }).parse(await post("/servers", { name: `Load ${accounts.id}` }));
    const channel = { name: "load", type: "text" };
    const { id } = Channel.pick({ id: true }).parse(await post(`/servers/${server.id}/channels`, channel));
    const { code } = Invite.pick({ code: true }).parse(await post(`/servers/${server.id}/invites`, {}));
    rooms.push({ channelId: id, members: [first], code });
  }
  await inTurn("Joined", users, async (number) => {
    const room = rooms[Math.floor(number / size)];
    if (room === undefined || number % size === 0) return;
    const token = await accounts.token(installation, number);
    await installation.patiently("POST", `/invites/${room.code}/accept`, { token });
    room.members.push(number);
  });
  return rooms;
}
