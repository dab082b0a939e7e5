import type { Logger } from "@parley/service-runtime";
import type { Config } from "../../../config.js";
import { openLocalStorage } from "./local-storage.js";
import type { FileStorage } from "./storage.js";

/** The settings of the storage. */
type StorageSettings = Pick<
  Config,
  | "UPLOAD_DIR"
  | "S3_BUCKET"
  | "S3_REGION"
  | "S3_ENDPOINT"
  | "S3_ACCESS_KEY_ID"
  | "S3_SECRET_ACCESS_KEY"
  | "S3_FORCE_PATH_STYLE"
>;

/**
 * Opens the storage that the settings name: a bucket if there is one, else the local directory.
 *
 * @throws Error with one sentence for the operator when it cannot be used
 */
export async function openStorage({
  config,
  logger,
}: {
  config: StorageSettings;
  logger: Logger;
}): Promise<FileStorage> {
  if (config.S3_BUCKET === undefined) return openLocalStorage({ directory: config.UPLOAD_DIR });
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new Error("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together");
  }
  // Loaded only where it is used: the SDK is large.
  const { openS3Storage } = await import("./s3-storage.js");
  return openS3Storage({
    settings: {
      bucket: config.S3_BUCKET,
      region: config.S3_REGION,
      endpoint: config.S3_ENDPOINT,
      credentials:
        accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
      forcePathStyle: config.S3_FORCE_PATH_STYLE,
    },
    logger,
  });
}
