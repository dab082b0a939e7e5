/** How much of an upload has been handed to the network. */
export interface UploadProgress {
  /** Bytes so far. */
  readonly loaded: number;
  /** Bytes of the whole request. */
  readonly total: number;
}

interface Upload {
  url: string;
  method: string;
  headers: Record<string, string>;
  form: FormData;
  signal: AbortSignal | undefined;
  fetch: typeof fetch;
  onProgress: (progress: UploadProgress) => void;
}

/** Sends a form and reports progress, which browsers have for XMLHttpRequest only, and Node.js for streams. */
export async function uploadForm(upload: Upload): Promise<Response> {
  const encoded = new Response(upload.form);
  const type = encoded.headers.get("content-type") ?? "multipart/form-data";
  const body = await encoded.blob();
  const create = findProgressRequest();
  return create === null ? streamed(upload, body, type) : sentByBrowser(create(), upload, body, type);
}

const chunkBytes = 65_536;

function streamed(upload: Upload, body: Blob, type: string): Promise<Response> {
  let loaded = 0;
  const chunks = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await body.slice(loaded, loaded + chunkBytes).arrayBuffer();
      if (chunk.byteLength === 0) return controller.close();
      loaded += chunk.byteLength;
      controller.enqueue(new Uint8Array(chunk));
      upload.onProgress({ loaded, total: body.size });
    },
  });
  return upload.fetch(upload.url, {
    method: upload.method,
    headers: { ...upload.headers, "content-type": type },
    body: chunks,
    duplex: "half",
    ...(upload.signal === undefined ? {} : { signal: upload.signal }),
  });
}

/** The parts of XMLHttpRequest that this uses. */
interface ProgressRequest {
  readonly upload: { onprogress: ((event: UploadProgress) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  responseType: string;
  readonly response: Blob;
  readonly status: number;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

function findProgressRequest(): (() => ProgressRequest) | null {
  const Request: unknown = Reflect.get(globalThis, "XMLHttpRequest");
  return isProgressRequest(Request) ? () => new Request() : null;
}

function isProgressRequest(value: unknown): value is new () => ProgressRequest {
  return typeof value === "function";
}

function sentByBrowser(request: ProgressRequest, upload: Upload, body: Blob, type: string): Promise<Response> {
  const { signal, onProgress } = upload;
  const abort = () => request.abort();
  const answer = new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted();
    request.open(upload.method, upload.url);
    for (const [name, value] of Object.entries({ ...upload.headers, "content-type": type })) {
      request.setRequestHeader(name, value);
    }
    request.responseType = "blob";
    request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
    request.onload = () => {
      const lines = request
        .getAllResponseHeaders()
        .trim()
        .split(/[\r\n]+/);
      const headers = lines.map((line): [string, string] => {
        const [name = "", ...value] = line.split(": ");
        return [name, value.join(": ")];
      });
      resolve(new Response(request.status === 204 ? null : request.response, { status: request.status, headers }));
    };
    request.onerror = () => reject(new TypeError("The upload failed"));
    request.onabort = () => reject(signal?.reason ?? new TypeError("The upload was aborted"));
    signal?.addEventListener("abort", abort);
    request.send(body);
  });
  // A signal may outlive many uploads, and would keep their files in memory.
  return answer.finally(() => signal?.removeEventListener("abort", abort));
}
