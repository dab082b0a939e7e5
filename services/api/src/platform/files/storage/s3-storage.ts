import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { Logger } from "@parley/service-runtime";
import { counted } from "./buffer-garbage.js";
import { storageUnavailable } from "./failure.js";
import { spool } from "./spool.js";
import type { FileStorage, StoredFile } from "./storage.js";

/** How long an exchange with S3 may stand still. */
const s3StandstillTimeoutMs = 30_000;

/** How long S3 may take to accept a connection. */
const s3ConnectTimeoutMs = 5_000;

/** Address of a bucket, and the credentials for it. */
export interface S3Settings {
  bucket: string;
  region: string;
  /** Address of an S3-compatible server; Amazon's own when absent. */
  endpoint?: string | undefined;
  /** Absent: the credentials that the SDK finds, such as the role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Names the bucket in the path instead of the host, as most S3-compatible servers need it. */
  forcePathStyle: boolean;
}

/**
 * Keeps files in a bucket of Amazon S3 or of a server that speaks its protocol. While it cannot be reached the process
 * starts all the same: only files are unavailable.
 *
 * @throws Error with one sentence for the operator when the bucket refuses
 */
export async function openS3Storage({
  settings,
  logger,
}: {
  settings: S3Settings;
  logger: Logger;
}): Promise<FileStorage> {
  const { bucket: Bucket } = settings;
  const client = createClient(settings);
  await checkBucket(client, Bucket, logger);

  const send = async (file: FileHandle, Key: string) => {
    const { size: ContentLength } = await file.stat();
    const Body = Readable.from(counted(file.createReadStream({ start: 0, autoClose: false })), { objectMode: false });
    const failure = new AbortController();
    // The SDK does not handle errors of its source stream, which would otherwise be uncaught.
    Body.on("error", () => failure.abort());
    try {
      const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength });
      await client.send(command, { abortSignal: failure.signal });
    } finally {
      Body.destroy();
    }
  };

  return {
    async put(Key, content) {
      // S3 requires the length of an object before its bytes; the alternative, a multipart upload, holds several parts of
      // at least 5 MB each in memory.
      const file = await spool(content);
      try {
        await send(file, Key);
      } catch (error) {
        throw storageUnavailable(error);
      } finally {
        await file.close();
      }
    },

    async get(Key, range) {
      try {
        const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
        return Body instanceof Readable ? Body : null;
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw storageUnavailable(error);
      }
    },

    async delete(Key) {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      } catch (error) {
        if (statusOf(error) !== 404) throw storageUnavailable(error);
      }
    },

    list: (folder) => list(client, Bucket, folder),
    close: () => client.destroy(),
  };
}

function createClient({ region, endpoint, credentials, forcePathStyle }: S3Settings): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // The checksums that the SDK adds by itself are unknown to many S3-compatible servers.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: s3ConnectTimeoutMs, socketTimeout: s3StandstillTimeoutMs },
  });
}

async function checkBucket(client: S3Client, Bucket: string, logger: Logger): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
  } catch (error) {
    const status = statusOf(error);
    if (status !== undefined && status < 500) {
      throw new Error(`S3_BUCKET ${Bucket} cannot be used: the server answered ${status}`, { cause: error });
    }
    logger.warn({ err: error, bucket: Bucket }, "S3 cannot be reached; files are unavailable until it can");
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

async function* list(client: S3Client, Bucket: string, folder: string): AsyncGenerator<StoredFile> {
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${folder}/` })) {
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified };
    }
  }
}
