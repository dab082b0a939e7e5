import { describe, expect, test } from "vitest";
import { createLogger } from "./logger.js";
import { redactUrl } from "./redact-url.js";

describe("redactUrl", () => {
  test.each([
    ["/ws?token=abc.def", "/ws?token=[redacted]"],
    ["/ws?a=1&bot_token=abc&b=2", "/ws?a=1&bot_token=[redacted]&b=2"],
    ["/files/x/y?exp=17&sig=00ff", "/files/x/y?exp=17&sig=[redacted]"],
    ["https://h/ws?TOKEN=abc", "https://h/ws?TOKEN=[redacted]"],
    ["/ws?%74oken=abc", "/ws?%74oken=[redacted]"],
    ["/ws?token=a=b&token=c", "/ws?token=[redacted]&token=[redacted]"],
    ["/ws?%=1&token=", "/ws?%=1&token=[redacted]"],
    ["/servers/browse?query=token", "/servers/browse?query=token"],
    ["/token/abc", "/token/abc"],
    ["", ""],
  ])("in a log, the URL %s becomes %s", (url, expected) => expect(redactUrl(url)).toBe(expected));
});

describe("createLogger", () => {
  function logged(entry: object): Record<string, unknown> {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    createLogger({ service: "api", level: "info", nodeId: "api-1", destination }).info(entry, "hello");
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0] ?? "");
  }

  test("createLogger writes one JSON line with service, node, level name and ISO time", () => {
    const line = logged({ requestId: "r1" });
    expect(line).toMatchObject({ service: "api", node: "api-1", level: "info", msg: "hello", requestId: "r1" });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test("a logger never writes credentials", () => {
    const line = JSON.stringify(
      logged({
        headers: { authorization: "Bearer hunter2", cookie: "hunter2" },
        req: { headers: { authorization: "Bot hunter2" }, token: "hunter2" },
        body: { password: "hunter2", refresh_token: "hunter2" },
        token: "hunter2",
        url: "/ws?token=hunter2",
      }),
    );
    expect(line).not.toContain("hunter2");
    expect(line).toContain("/ws?token=[redacted]");
  });
});
