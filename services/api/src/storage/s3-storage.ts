import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { Logger } from "@parley/service-runtime";
import { storageUnavailable } from "./failure.js";
import { s3ConnectTimeoutMs, s3PartBytes, s3StandstillTimeoutMs } from "./limits.js";
import type { FileStorage, StoredFile } from "./storage.js";

/** Where a bucket is and who reads and writes it. */
export interface S3Settings {
  bucket: string;
  region: string;
  /** Address of an S3-compatible server; Amazon's own when absent. */
  endpoint?: string | undefined;
  /** Absent: whatever the SDK finds, such as the role of the machine. */
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

  return {
    async put(Key, content) {
      const body = tellSource(content);
      const upload = new Upload({
        client,
        params: { Bucket, Key, Body: Readable.from(body.content, { objectMode: false }) },
        partSize: s3PartBytes,
        queueSize: 1,
      });
      try {
        await upload.done();
      } catch (error) {
        throw body.failure === undefined ? storageUnavailable(error) : body.failure.error;
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
    dropUnfinished: (before) => abortUploads(client, Bucket, before),
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

/** Passes content on and remembers its failure, which the SDK would wrap and mix up with its own. */
function tellSource(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const told: { content: AsyncIterable<Uint8Array>; failure: { error: unknown } | undefined } = {
    content: pass(),
    failure: undefined,
  };
  async function* pass() {
    try {
      yield* source;
    } catch (error) {
      told.failure = { error };
      throw error;
    }
  }
  return told;
}

async function* list(client: S3Client, Bucket: string, folder: string): AsyncGenerator<StoredFile> {
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: `${folder}/` })) {
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified };
    }
  }
}

/** A process that died leaves parts that are paid for but in no list of objects. */
async function abortUploads(client: S3Client, Bucket: string, before: Date): Promise<void> {
  for await (const { Key, UploadId, Initiated } of uploadsUnderWay(client, Bucket)) {
    if (Initiated === undefined || Initiated >= before) continue;
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
}

async function* uploadsUnderWay(client: S3Client, Bucket: string): AsyncGenerator<MultipartUpload> {
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (after !== undefined) {
    const page: ListMultipartUploadsCommandOutput | null = await listUploads(client, Bucket, after);
    yield* page?.Uploads ?? [];
    after = page?.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
}

async function listUploads(
  client: S3Client,
  Bucket: string,
  after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined },
): Promise<ListMultipartUploadsCommandOutput | null> {
  try {
    return await client.send(new ListMultipartUploadsCommand({ Bucket, ...after }));
  } catch (error) {
    // Some S3-compatible servers keep no such list.
    if (statusOf(error) === 501) return null;
    throw error;
  }
}
