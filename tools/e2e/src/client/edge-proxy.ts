import { startTcpProxy } from "@parley/testing";

/** A way to the edge that a test can cut or silence, and that can keep back the end of every answer. */
export async function startEdgeProxy(edgeUrl: string) {
  let isSilent = false;
  let truncated: number | null = null;
  const { port, cut, close } = await startTcpProxy(edgeUrl, () => ({
    toClient(bytes, { client }) {
      if (truncated !== null) {
        truncated += 1;
        client.end(bytes.subarray(0, -5), () => client.destroy());
      } else if (!isSilent) client.write(bytes);
    },
    toServer(bytes, { server }) {
      if (!isSilent) server.write(bytes);
    },
  }));
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    close,
    /** How many answers have lost their last bytes so far. */
    truncated: () => truncated ?? 0,
    truncate(value: boolean) {
      truncated = value ? 0 : null;
    },
    silence(value: boolean) {
      isSilent = value;
    },
  };
}
