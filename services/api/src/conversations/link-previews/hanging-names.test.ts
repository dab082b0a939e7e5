import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNameResolver, type NameResolver } from "@parley/egress";
import { startNameServer, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { createEmbedPictures } from "../embed-pictures/service.js";
import { createFetchPublic, pages } from "./fetch-public.js";

/** Fetches something for a reader; rejects when it does not come. */
type Fetch = (url: string, reader: string) => Promise<unknown>;

// Stands for the public internet.
const webAddress = "127.0.0.2";
const gif = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64");

const fetchPages = (names: NameResolver): Fetch => {
  const fetchPage = createFetchPublic({ allows: (address) => address === webAddress, names, wanted: pages });
  return (url) => fetchPage(new URL(url), new AbortController().signal);
};
const fetchPictures = (names: NameResolver): Fetch => {
  const pictures = createEmbedPictures({ names, allowedNetworks: [`${webAddress}/32`] });
  return (url, reader) => pictures.find(reader, `${url}picture.gif`, new AbortController().signal);
};

test.each<[string, (names: NameResolver) => Fetch]>([
  ["pages", fetchPages],
  ["pictures", fetchPictures],
])("while names hang, all %s of others are fetched", async (_, createFetch) => {
  const nameServer = await startNameServer({ address: webAddress });
  const web = createServer(({ url = "" }, response) => {
    const isPicture = url.endsWith(".gif");
    response.setHeader("content-type", isPicture ? "image/gif" : "text/html");
    response.end(isPicture ? gif : "<title>t</title>");
  });
  web.listen(0, webAddress);
  await once(web, "listening");
  onTestFinished(() => {
    web.close();
    nameServer.close();
  });
  const { port } = web.address() as AddressInfo;
  const fetch = createFetch(createNameResolver({ knowsLocalNames: false, servers: [nameServer.address] }));
  const hanging = Array.from({ length: 4 }, (__, n) => fetch(`http://${n}.hang.test:${port}/`, "hanging"));
  const ends = Promise.allSettled(hanging);
  await waitUntil(() => new Set(nameServer.asked).size === hanging.length);
  await Promise.all(Array.from({ length: 4 }, (__, n) => fetch(`http://${n}.others.test:${port}/`, "other")));
  expect((await ends).map(({ status }) => status)).toEqual(hanging.map(() => "rejected"));
});
