import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { Attachment } from "@parley/contracts";
import {
  type Answer,
  createClient,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  type StackOptions,
  startStack,
  type TestStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { z } from "zod";

/** A server to upload in, on a stack whose upload directory the test can look into. */
export interface SharedUploadStage extends ServerFixture<Users<2>> {
  readonly stack: SharedStack;
  readonly client: RestClient;
  readonly uploadDir: string;
}

/** The same on a stack of a test file's own. */
export interface UploadStage extends SharedUploadStage {
  readonly stack: TestStack;
  readonly stop: () => Promise<void>;
}

/** A file to send; `field` is the part's name. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly field?: string;
}

export async function createUploadStage(stack: SharedStack): Promise<SharedUploadStage> {
  const client = createClient(stack.edgeUrl);
  return { stack, client, uploadDir: stack.uploadDir, ...(await createServerWithMembers(client, 2)) };
}

export async function startUploadStage(options: StackOptions = {}): Promise<UploadStage> {
  const stack = await startStack({ gateways: 0, ...options });
  try {
    return { ...(await createUploadStage(stack)), stack, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** A form with these files; a browser would send the same. */
export function formOf(files: readonly SentFile[]): FormData {
  const form = new FormData();
  for (const { name, bytes, field = "files" } of files) {
    form.append(field, new Blob([Uint8Array.from(bytes)], { type: "application/octet-stream" }), name);
  }
  return form;
}

export function upload(by: RestClient, messageId: string, files: readonly SentFile[]): Promise<Answer> {
  return by.send("POST", `/messages/${messageId}/attachments`, { body: formOf(files) });
}

/** Posts a message and attaches one file to it. */
export async function attachOne(by: UserClient, channelId: string, file: SentFile): Promise<Attachment> {
  const { id } = await postMessage(by, channelId, "look");
  const [attachment] = (await upload(by, id, [file])).expect(201, z.array(Attachment));
  if (attachment === undefined) throw new Error("Nothing was attached.");
  return attachment;
}

/** Every file below a directory, with its path. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Watches for new files in a directory. Files of other tests may leave it meanwhile.
 *
 * @returns lists the new files that are there
 */
export async function watchFiles(directory: string): Promise<() => Promise<string[]>> {
  const look = async () => {
    for (;;) {
      try {
        return await filesBelow(directory);
      } catch (error) {
        // A folder that went away between its name and its content.
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      }
    }
  };
  const before = new Set(await look());
  return async () => (await look()).filter((path) => !before.has(path));
}

/** An upload that a test sends piece by piece. */
export interface SlowUpload {
  /** Sends the beginning of a file named `name`, with as much of its content. */
  readonly begin: (name: string, bytes: Uint8Array) => void;
  /** Ends the form in order and resolves with the answer. */
  readonly finish: () => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Breaks the connection. */
  readonly abort: () => void;
}

export function startSlowUpload(url: string, by: UserClient, messageId: string): SlowUpload {
  const boundary = "slow-upload";
  const sending = request(`${url}/messages/${messageId}/attachments`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${by.accessToken}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
  });
  const answered = once(sending, "response");
  // A caller that aborts does not want the answer.
  answered.catch(() => undefined);
  sending.on("error", () => undefined);
  return {
    begin: (name, bytes) => {
      const disposition = `Content-Disposition: form-data; name="files"; filename="${name}"`;
      sending.write(`--${boundary}\r\n${disposition}\r\n\r\n`);
      sending.write(bytes);
      sending.write("\r\n");
    },
    finish: async () => {
      sending.end(`--${boundary}--\r\n`);
      const [response] = await answered;
      return { status: response.statusCode, body: await json(response) };
    },
    abort: () => sending.destroy(),
  };
}
