import { connect, createServer, type Socket } from "node:net";

/** A connection through a proxy: the client's end of it and the server's. */
export interface ProxiedConnection {
  readonly client: Socket;
  readonly server: Socket;
}

/** Passes bytes on, changes them or keeps them back. */
export type PassBytes = (bytes: Buffer, connection: ProxiedConnection) => void;

/** Functions that pass the bytes of one connection in each direction; an absent direction passes all. */
export interface Passing {
  readonly toClient?: PassBytes;
  readonly toServer?: PassBytes;
}

/** A TCP way to a server on which a test sees, changes and cuts the traffic, without touching the server. */
export interface TcpProxy {
  readonly port: number;
  readonly connections: ReadonlySet<ProxiedConnection>;
  /** Ends the connections of the moment; new ones are accepted. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

/**
 * @param target the server's URL, of any scheme
 * @param accept called for each connection before any bytes have passed; null refuses it
 */
export async function startTcpProxy(target: string, accept: () => Passing | null = () => ({})): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const connections = new Set<ProxiedConnection>();
  const listener = createServer((client) => {
    const passing = accept();
    if (passing === null) {
      client.destroy();
      return;
    }
    const connection = { client, server: connect(Number(port), hostname) };
    connections.add(connection);
    join(connection, passing);
    client.on("close", () => connections.delete(connection));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  const cut = () => {
    for (const { client, server } of connections) {
      client.destroy();
      server.destroy();
    }
  };
  const close = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      cut();
    });
  return { port: address.port, connections, cut, close };
}

function join(connection: ProxiedConnection, { toClient, toServer }: Passing): void {
  const { client, server } = connection;
  server.on("data", (bytes) => (toClient ? toClient(bytes, connection) : client.write(bytes)));
  client.on("data", (bytes) => (toServer ? toServer(bytes, connection) : server.write(bytes)));
  for (const socket of [client, server]) socket.on("error", () => undefined);
  // An end by the server, be it a refused upgrade, ends the client's side too, after the bytes on their way.
  server.on("close", () => client.end());
  client.on("close", () => server.destroy());
}
