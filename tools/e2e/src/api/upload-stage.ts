import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
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
  type StackOptions,
  startStack,
  type TestStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { z } from "zod";

/** A stack whose upload directory the test can look into, and a server to upload in. */
export interface UploadStage extends ServerFixture<Users<2>> {
  readonly stack: TestStack;
  readonly client: RestClient;
  readonly uploadDir: string;
  readonly stop: () => Promise<void>;
}

/** A file to send; `field` is the part's name. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly field?: string;
}

export async function startUploadStage({ env = {}, ...options }: StackOptions = {}): Promise<UploadStage> {
  const uploadDir = await mkdtemp(join(tmpdir(), "parley-uploads-"));
  const removeDir = () => rm(uploadDir, { recursive: true, force: true });
  try {
    const stack = await startStack({ gateways: 0, ...options, env: { UPLOAD_DIR: uploadDir, ...env } });
    const stop = async () => {
      await stack.stop();
      await removeDir();
    };
    try {
      const client = createClient(stack.edgeUrl);
      return { stack, client, uploadDir, stop, ...(await createServerWithMembers(client, 2)) };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await removeDir();
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

/** Every file below a directory, relative to it. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
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
  // Whoever aborts does not want the answer.
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
