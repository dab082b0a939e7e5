import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseConnectionQuery } from "./connection-query.js";

const parse = (query: string) => parseConnectionQuery(new URLSearchParams(query));

describe("the query of a connection", () => {
  test("the query of a connection asks for everything without parameters, whatever others there are", () => {
    const everything = {
      presence: "all",
      version: 1,
      watchesMembers: false,
      events: null,
      shard: null,
      view: null,
      cursor: null,
    };
    expect(parse("")).toEqual(everything);
    expect(parse("token=x&S=&Presence=none&EVENTS=&v=1")).toEqual(everything);
  });

  test("the query of a connection takes v=1 and v=2, and no other value", () => {
    expect(parse("v=2")).toMatchObject({ version: 2, watchesMembers: false });
    for (const version of ["", "0", "3", "02", "2 ", "two"]) {
      expect(parse(`v=${encodeURIComponent(version)}`)).toEqual({ error: `Unknown version: ${version}` });
    }
  });

  test("the query of a connection takes members=all with v=2 only, and no other value", () => {
    expect(parse("v=2&members=all")).toMatchObject({ version: 2, watchesMembers: true });
    for (const query of ["members=all", "v=1&members=all"]) {
      expect(parse(query)).toEqual({ error: "members needs v=2" });
    }
    for (const members of ["", "none", "ALL"]) {
      expect(parse(`v=2&members=${members}`)).toEqual({ error: "members must be all" });
    }
  });

  test("the query of a connection takes view=on and lists of at most 20 channels with v=2 only, and no other value", () => {
    expect(parse("v=2&view=on")).toMatchObject({ view: [] });
    const ids = Array.from({ length: 21 }, () => randomUUID());
    const list = ids.slice(1);
    expect(parse(`v=2&view=${list.join(",").toUpperCase()}`)).toMatchObject({ view: list });
    for (const view of ["", "off", "ON", "on,on", "x", `${ids[0]},`, `${ids[0]},on`, ids.join(",")]) {
      expect(parse(`v=2&view=${view}`)).toEqual({ error: "Invalid view" });
    }
    for (const query of ["view=on", "v=1&view=on", `view=${ids[0]}`]) {
      expect(parse(query)).toEqual({ error: "Invalid view" });
    }
  });

  test("the query of a connection names events of v=2 only together with it", () => {
    expect(parse("v=2&events=SERVER_JOIN,MESSAGE_CREATE")).toMatchObject({
      events: new Set(["SERVER_JOIN", "MESSAGE_CREATE"]),
    });
    for (const query of ["events=MESSAGE_CREATE,SERVER_JOIN", "v=1&events=SERVER_JOIN"]) {
      expect(parse(query)).toEqual({ error: "Unknown event: SERVER_JOIN" });
    }
    for (const name of ["VIEW_ACK", "CHANNEL_ACTIVITY"]) {
      expect(parse(`v=2&view=on&events=${name}`)).toMatchObject({ events: new Set([name]) });
      expect(parse(`events=MESSAGE_CREATE,${name}`)).toEqual({ error: `Unknown event: ${name}` });
    }
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
