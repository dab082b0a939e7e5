import { Bot, DmChannel } from "@parley/contracts";
import { connectGateway, type GatewayClient, type SharedStack, type UserClient } from "@parley/testing";
import { z } from "zod";

/** A bot that is nowhere a member yet. */
export interface TestBot {
  readonly id: string;
  readonly userId: string;
  /** Its own token. */
  readonly token: string;
  /** The token of POST /bots/connect. */
  readonly accessToken: string;
}

/** Creates a bot of `owner`, and connects it. */
export async function createBot(owner: UserClient): Promise<TestBot> {
  const { bot, token } = (await owner.post("/bots", { name: "Helper" })).expect(
    201,
    z.object({ bot: Bot, token: z.string() }),
  );
  const connected = await owner.withAuthorization(`Bot ${token}`).post("/bots/connect");
  const { access_token } = connected.expect(200, z.object({ access_token: z.string() }));
  return { id: bot.id, userId: bot.user_id, token, accessToken: access_token };
}

/** Opens the DM channel of two users. */
export async function openDirectChannel(one: UserClient, other: UserClient): Promise<string> {
  return (await one.post("/dm-channels", { user_id: other.user.id })).expect(201, DmChannel).id;
}

/** Connections that ask for something in their query; they are closed together. */
export function createConnections(stack: SharedStack) {
  const clients: GatewayClient[] = [];
  const connect = (accessToken: string, gateway: 0 | 1, query: string): GatewayClient => {
    const client = connectGateway(stack.gateways[gateway]?.url ?? "", "", { query: `token=${accessToken}&${query}` });
    clients.push(client);
    return client;
  };
  return {
    /** A connection that is READY. */
    async open(accessToken: string, gateway: 0 | 1, query = ""): Promise<GatewayClient> {
      const client = connect(accessToken, gateway, query);
      await client.ready;
      return client;
    },
    connect,
    closeAll() {
      for (const client of clients) client.terminate();
    },
  };
}

/** Names of the events that a connection got so far, without presence. */
export function namesOf(client: GatewayClient): string[] {
  return client.events.map(({ name }) => name).filter((name) => name !== "PRESENCE_UPDATE");
}
