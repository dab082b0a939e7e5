import { getEventListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { uploadForm } from "./upload.js";

/** A browser's request, whose answer is there at once. */
class AnsweredRequest {
  readonly upload = { onprogress: null };
  readonly response = new Blob(["[]"]);
  readonly status = 201;
  responseType = "";
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  open(): void {}
  setRequestHeader(): void {}
  getAllResponseHeaders(): string {
    return "content-type: application/json";
  }
  send(): void {
    queueMicrotask(() => this.onload?.());
  }
  abort(): void {}
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("an upload that has ended in a browser is not kept by the signal that could have ended it", async () => {
  vi.stubGlobal("XMLHttpRequest", AnsweredRequest);
  const { signal } = new AbortController();
  const form = new FormData();
  form.append("files", new Blob(["file"]), "file.txt");
  const upload = { url: "http://127.0.0.1:9/", method: "POST", headers: {}, form, signal, fetch };
  expect((await uploadForm({ ...upload, onProgress: () => undefined })).status).toBe(201);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
