declare module "@20minutes/s3rver" {
  /** An S3 server over a directory, as far as we use it; the package has no types of its own. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      allowMismatchedSignatures: boolean;
      configureBuckets: readonly { name: string }[];
    });
    run(): Promise<unknown>;
    close(): Promise<void>;
    readonly httpServer: import("node:http").Server;
  }
}
