import { createAccessTokens } from "@parley/auth";
import { connectGateway, type GatewayClient, type TestStack, waitUntil } from "@parley/testing";
import { z } from "zod";
import { runSql } from "./admin-stage.js";

/** Members of a server who are connected and get no events. */
export interface Crowd {
  readonly clients: readonly GatewayClient[];
  /** Ends all of their connections but so many. */
  leave(count: number): Promise<void>;
}

const Ids = z.array(z.object({ id: z.string() }));

/** Adds so many members to a server, connects them to all gateways in turn, and waits until they count as connected. */
export async function connectCrowd(
  { databaseUrl, jwtSecret, gateways }: Pick<TestStack, "databaseUrl" | "jwtSecret" | "gateways">,
  serverId: string,
  count: number,
): Promise<Crowd> {
  const name = `crowd_${crypto.randomUUID().slice(0, 8)}`;
  const users = Ids.parse(
    await runSql(
      databaseUrl,
      `WITH people AS (INSERT INTO users (username) SELECT $2 || n FROM generate_series(1, $3::integer) n RETURNING id)
        INSERT INTO members (server_id, user_id) SELECT $1, id FROM people RETURNING user_id AS id`,
      [serverId, name, count],
    ),
  );
  const tokens = createAccessTokens({ secret: jwtSecret });
  const clients = users.map(({ id }, index) => {
    const token = encodeURIComponent(tokens.issue({ userId: id }));
    const query = `token=${token}&events=MEMBER_BAN&presence=none`;
    return connectGateway(gateways[index % gateways.length]?.url ?? "", "", { query });
  });
  await Promise.all(clients.map(({ ready }) => ready));
  const connected = async () =>
    z
      .array(z.object({ count: z.coerce.number() }))
      .parse(
        await runSql(
          databaseUrl,
          "SELECT count(*) FROM members m JOIN users u ON u.id = m.user_id WHERE m.server_id = $1 AND u.username LIKE $2 AND u.connected",
          [serverId, `${name}%`],
        ),
      )[0]?.count;
  await waitUntil(async () => (await connected()) === count, { what: "a crowd that is connected", timeoutMs: 60_000 });
  return {
    clients,
    async leave(left) {
      await Promise.all(clients.slice(left).map((client) => client.close()));
    },
  };
}
