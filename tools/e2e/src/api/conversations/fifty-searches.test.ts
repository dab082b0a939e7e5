import { FoundPage } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type ServerFixture,
  sharedStack,
  type Users,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";

/** What people of six languages wrote. */
const messages = {
  en1: "Has anybody tried the new release candidates on the staging servers yet?",
  en2: "The meeting is moved to Thursday, because the children have a holiday on Friday",
  en3: "I was running the tests of node.js 22 and they don't finish, see https://github.com/nodejs/node/issues/1",
  en4: "Write to support@example.org when the invoice from 2026-11-28 is missing",
  en5: "C++ and C# are both fine, but the read_state of the cache is broken since v2.10",
  en6: "My café serves naïve résumés with the soup",
  de1: "Die alten Häuser in der Hauptstraße werden nächstes Jahr nicht mehr vermietet",
  de2: "Ich habe die Rechnungen vom Steuerberater gestern noch nicht bekommen",
  de3: "Weiß jemand, wo der Schlüssel für den Fahrradkeller ist?",
  de4: "Das Geschäft hat wegen der Feiertage geschlossen, wir grüßen euch alle",
  fr1: "Les chevaux de la ferme sont très fatigués après la course d'hier",
  fr2: "Où est le dossier des élèves pour l'école de Besançon ?",
  fr3: "Nous avons mangé des œufs et du fromage dans le jardin",
  ru1: "Красные дома стоят у реки, и мы живём там уже десять лет",
  ru2: "Кто-нибудь знает, когда приедут наши друзья из Москвы?",
  ru3: "Я не могу найти ключи от машины, ёлка уже стоит",
  ja1: "明日の会議は東京駅の近くの喫茶店で行います",
  ja2: "新しいゲームのバグを見つけました。スクリーンショットを送ります",
  ja3: "上海から来た友達と京都の寺を見に行きました",
  ar1: "هل قرأت الكتب الجديدة التي وصلت إلى المكتبة اليوم؟",
  ar2: "المدرسة مغلقة غدا بسبب العطلة، والمعلمون في البيت",
} as const;
type Key = keyof typeof messages;

/**
 * What a person types into a page of a language, what the search finds, and what the English words found that it had before. Nothing is
 * found where no dictionary knows the form: plurals of other letters (`друзья`, `كتب`).
 */
const searches: readonly [language: string, query: string, found: readonly Key[], before: readonly Key[]][] = [
  ["en", "server", ["en1"], ["en1"]],
  ["en", "release candidate", ["en1"], ["en1"]],
  ["en", "children", ["en2"], ["en2"]],
  ["en", "node.js", ["en3"], ["en3"]],
  ["en", "nodejs", ["en3"], []],
  ["en", "don't finish", ["en3"], ["en3"]],
  ["en", "github.com", ["en3"], ["en3"]],
  ["en", "run test", ["en3"], ["en3"]],
  ["en", "support@example.org", ["en4"], ["en4"]],
  ["en", "2026-11-28", ["en4"], ["en4"]],
  ["en", "c++", ["en5"], ["en5"]],
  ["en", "read_state", ["en5"], ["en5"]],
  ["en", "v2.10", ["en5"], ["en5"]],
  ["en", "cafe resume", [], []],
  ["en", '"new release"', ["en1"], ["en1"]],
  ["en", "meeting -friday", [], ["en2"]],
  ["de", "haus", ["de1"], []],
  ["de", "hauptstrasse", ["de1"], []],
  ["de", "Rechnung", ["de2"], []],
  ["de", "schluessel", ["de3"], []],
  ["de", "Schlüssel", ["de3"], ["de3"]],
  ["de", "weiss", ["de3"], []],
  ["de", "feiertag", ["de4"], ["de4"]],
  ["de", "geschaeft", ["de4"], []],
  ["de", "grüße", ["de4"], []],
  ["de", "vermieten", [], []],
  ["fr", "cheval", ["fr1"], []],
  ["fr", "fatigué", ["fr1"], ["fr1"]],
  ["fr", "eleve", ["fr2"], []],
  ["fr", "ecole", ["fr2"], []],
  ["fr", "besancon", ["fr2"], []],
  ["fr", "oeufs", ["fr3"], []],
  ["fr", "jardins", ["fr3"], ["fr3"]],
  ["ru", "дом", ["ru1"], []],
  ["ru", "красный", ["ru1"], []],
  ["ru", "ключ", ["ru3"], []],
  ["ru", "елка", ["ru3"], []],
  ["ru", "друг", [], []],
  ["ru", "москва", ["ru2"], []],
  ["ru", "жить", [], []],
  ["ja", "会議", ["ja1"], []],
  ["ja", "東京", ["ja1"], []],
  ["ja", "ゲーム", ["ja2"], []],
  ["ja", "バグ", ["ja2"], []],
  ["ja", "上海", ["ja3"], []],
  ["ja", "寺", ["ja3"], []],
  ["ar", "كتاب", [], []],
  ["ar", "مكتبة", ["ar1"], []],
  ["ar", "المعلم", [], []],
  ["ar", "عطلة", ["ar2"], []],
];

let fixture: ServerFixture<Users<0>>;
let databaseUrl: string;
const keys = new Map<string, string>();
beforeAll(async () => {
  const stack = await sharedStack();
  databaseUrl = stack.databaseUrl;
  fixture = await createServerWithMembers(createClient(stack.edgeUrl, { prefix: "/api" }), 0);
  for (const [key, content] of Object.entries(messages)) {
    keys.set((await postMessage(fixture.owner, fixture.channel.id, content)).id, key);
  }
});

test("fifty searches in six languages find what their people mean", async () => {
  const { owner, channel, server } = fixture;
  const found: (typeof searches)[number][] = [];
  for (const [language, query] of searches) {
    const path = `/search?${new URLSearchParams({ q: query, server: server.id })}`;
    const page = (await owner.send("GET", path, { headers: { "accept-language": language } })).expect(200, FoundPage);
    const before = await runSql(
      databaseUrl,
      `SELECT id FROM messages WHERE channel_id = $1
        AND to_tsvector('english', content) @@ plainto_tsquery('english', $2) ORDER BY id DESC`,
      [channel.id, query],
    );
    const keysOf = (ids: readonly string[]) => ids.map((id) => keys.get(id) as Key);
    found.push([
      ...([language, query] as const),
      keysOf(page.results.map(({ message }) => message.id)),
      keysOf(before.map((row) => Object(row).id)),
    ]);
  }
  expect(found).toEqual(searches);
  expect(searches).toHaveLength(50);
});
