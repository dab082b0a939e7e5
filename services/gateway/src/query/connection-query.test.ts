import { describe, expect, test } from "vitest";
import { parseConnectionQuery } from "./connection-query.js";

const parse = (query: string) => parseConnectionQuery(new URLSearchParams(query));

describe("the query of a connection", () => {
  test("the query of a connection asks for everything without parameters, whatever others there are", () => {
    const everything = { presence: "all", events: null, shard: null, cursor: null };
    expect(parse("")).toEqual(everything);
    expect(parse("token=x&S=&Presence=none&EVENTS=")).toEqual(everything);
  });

  test("the query of a connection distinguishes a connection that is not numbered, one that begins anew and one that continues", () => {
    expect(parse("S=x")).toMatchObject({ cursor: null });
    expect(parse("s=")).toMatchObject({ cursor: "" });
    expect(parse("s=a.b&s=c")).toMatchObject({ cursor: "a.b" });
  });

  test("the query of a connection takes presence=subscribed and presence=none, and no other value", () => {
    for (const presence of ["subscribed", "none"]) expect(parse(`presence=${presence}`)).toMatchObject({ presence });
    for (const value of ["", "all", "Subscribed", "none,subscribed", " none"]) {
      expect(parse(`presence=${encodeURIComponent(value)}`)).toEqual({ error: "presence must be subscribed or none" });
    }
  });

  test("the query of a connection takes the names of events as a set", () => {
    const names = new Set(["MESSAGE_CREATE", "PRESENCE_UPDATE"]);
    expect(parse("events=MESSAGE_CREATE,PRESENCE_UPDATE")).toMatchObject({ events: names, presence: "all" });
    expect(parse("events=PRESENCE_UPDATE%2CMESSAGE_CREATE,PRESENCE_UPDATE,")).toMatchObject({ events: names });
  });

  test("the query of a connection asks for nobody's presence with a list without PRESENCE_UPDATE", () => {
    expect(parse("events=MESSAGE_CREATE&presence=subscribed")).toMatchObject({ presence: "none" });
    expect(parse("events=PRESENCE_UPDATE&presence=subscribed")).toMatchObject({ presence: "subscribed" });
  });

  test("the query of a connection rejects names that no client gets, and a list without a name", () => {
    for (const name of ["TYPING_STOP", "READY", "SERVER_JOINED", "SESSION_CLOSE", "message_create", " ", "toString"]) {
      expect(parse(`events=MESSAGE_CREATE,${name},NO_EVENT`)).toEqual({ error: `Unknown event: ${name}` });
    }
    for (const list of ["", ",", ",,"]) {
      expect(parse(`events=${list}`)).toEqual({ error: "events must name at least one event" });
    }
  });

  test("the query of a connection takes shards from 0/1 to 1023/1024", () => {
    for (const [index, count] of [
      [0, 1],
      [1, 2],
      [0, 1_024],
      [1_023, 1_024],
    ]) {
      expect(parse(`shard=${index}/${count}`)).toMatchObject({ shard: { index, count } });
      expect(parse(`shard=${index}%2F${count}`)).toMatchObject({ shard: { index, count } });
    }
  });

  test("the query of a connection rejects all other shards", () => {
    const wrong = ["", "0", "/", "0/0", "1/1", "2/1", "0/1025", "1024/1024", "-1/2", "00/2", "0/02", "0.0/1", "0/1/2"];
    for (const shard of [...wrong, "0/1e2", "a/b", " 0/1", "0 / 1", "99999999999/999999999999"]) {
      expect(parse(`shard=${encodeURIComponent(shard)}`)).toEqual({ error: "Invalid shard" });
    }
  });

  test("the query of a connection names the first error in the order presence, events, shard", () => {
    expect(parse("shard=x&events=&presence=x")).toEqual({ error: "presence must be subscribed or none" });
    expect(parse("shard=x&events=")).toEqual({ error: "events must name at least one event" });
  });
});
