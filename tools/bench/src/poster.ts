import { Agent, request } from "node:http";

/** Sends JSON and returns the JSON of a 2xx answer; rejects on any other. */
export type Post = (path: string, body: unknown, headers?: Record<string, string>, method?: string) => Promise<unknown>;

/** A lean client with kept-alive connections, whose own cost must not hide the measured one. */
export function createPoster(baseUrl: string, maxSockets = 64): Post {
  const agent = new Agent({ keepAlive: true, maxSockets });
  return (path, body, headers = {}, method = "POST") =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const outgoing = request(
        `${baseUrl}${path}`,
        {
          method,
          agent,
          headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(text) },
        },
        (response) => {
          let answer = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => {
            answer += chunk;
          });
          response.on("end", () => {
            const { statusCode = 0 } = response;
            if (statusCode >= 200 && statusCode < 300) resolve(answer === "" ? undefined : JSON.parse(answer));
            else reject(new Error(`${path} answered ${statusCode}: ${answer}`));
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(text);
    });
}
