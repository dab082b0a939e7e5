import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { findFreePort } from "@parley/local-stack";
import { freshFolder } from "./test-servers.js";

/** A server that speaks S3, with one bucket. */
export interface TestS3 {
  readonly url: string;
  readonly bucket: string;
  /** Where it keeps the bucket's objects, several files each. */
  readonly folder: string;
  /** The api's settings that lead to the bucket. */
  readonly env: Record<string, string>;
  readonly stop: () => Promise<void>;
}

/** Starts an S3 server of this test file's own, on a free port; call `stop` in `afterAll`. */
export async function startS3(): Promise<TestS3> {
  const directory = freshFolder("s3");
  await mkdir(directory);
  const port = await findFreePort();
  const bucket = "parley";
  const server = new S3rver({
    address: "127.0.0.1",
    port,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
    // It computes the signature of a bucket's address without the slash that the SDK ends it with.
    allowMismatchedSignatures: true,
  });
  await server.run();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    bucket,
    folder: join(directory, bucket),
    env: {
      S3_ENDPOINT: url,
      S3_BUCKET: bucket,
      // The only account that the server knows.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
      S3_FORCE_PATH_STYLE: "true",
    },
    stop: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
    },
  };
}
