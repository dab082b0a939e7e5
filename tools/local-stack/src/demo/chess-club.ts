import { type Channel, createClient, type Server } from "@parley/client";
import { permissionBits as may } from "@parley/contracts";
import { converse, type DemoPeople, reactTo, readPicture, showPicture } from "./people.js";

const weekMs = 7 * 24 * 3_600_000;

/** A server of Ann's with everything that servers have. */
export async function openChessClub(baseUrl: string, people: DemoPeople): Promise<void> {
  const { ann } = people;
  const server = await ann.client.servers.create({ name: "Harbour Chess Club", is_public: true });
  for (const name of ["ben", "carla", "dmitri", "elif", "farah"] as const) {
    await people[name].client.servers.join(server.id);
  }
  const channels = await createChannels(people, server);
  await createRoles(people, server, channels);
  await decorate(people, server);
  await talk(people, channels);
  await analyse(people, channels.analysis);
  await organise(people, channels.tournament);
  await addBot(baseUrl, people, server, channels.tournament);
  await addWebhook(people, server);
}

type ChannelName = "announcements" | "general" | "analysis" | "tournament" | "committee";

async function createChannels({ ann }: DemoPeople, server: Server): Promise<Record<ChannelName, Channel>> {
  const create = (category: string, name: string, topic: string) =>
    ann.client.channels.create(server.id, { category, name, topic });
  const channels = {
    announcements: await create("Club", "announcements", "What everybody should know"),
    general: await create("Club", "general", "Before, after and instead of the game"),
    analysis: await create("Games", "analysis", "Positions, puzzles, post-mortems"),
    tournament: await create("Games", "tournament", "The autumn tournament: rounds and results"),
    committee: await create("Committee", "committee", "Captains only"),
  };
  await ann.client.channels.create(server.id, { category: "Club", name: "Clubhouse", type: "voice" });
  await ann.client.channels.create(server.id, { category: "Games", name: "Blitz room", type: "voice" });
  return channels;
}

async function createRoles(people: DemoPeople, server: Server, channels: Record<ChannelName, Channel>): Promise<void> {
  const { client } = people.ann;
  const captain = await client.roles.create(server.id, {
    name: "Captain",
    color: "#e67e22",
    permissions: may.MANAGE_MESSAGES | may.MUTE_MEMBERS | may.KICK_MEMBERS | may.CREATE_INVITES,
    position: 3,
  });
  const arbiter = await client.roles.create(server.id, {
    name: "Arbiter",
    color: "#3498db",
    permissions: may.MANAGE_MESSAGES | may.MUTE_MEMBERS,
    position: 2,
  });
  const player = await client.roles.create(server.id, { name: "Player", color: "#2ecc71", position: 1 });
  for (const name of ["ben", "carla", "dmitri", "elif", "farah"] as const) {
    await client.roles.assign(server.id, people[name].user.id, player.id);
  }
  await client.roles.assign(server.id, people.ben.user.id, captain.id);
  await client.roles.assign(server.id, people.dmitri.user.id, arbiter.id);

  const { announcements, committee } = channels;
  await client.overrides.put(announcements.id, { role_id: player.id, allow: 0, deny: may.SEND_MESSAGES });
  await client.overrides.put(announcements.id, { role_id: captain.id, allow: may.SEND_MESSAGES, deny: 0 });
  await client.overrides.put(committee.id, { role_id: player.id, allow: 0, deny: may.VIEW_CHANNEL });
  await client.overrides.put(committee.id, { role_id: captain.id, allow: may.VIEW_CHANNEL, deny: 0 });
}

async function decorate({ ann }: DemoPeople, server: Server): Promise<void> {
  for (const name of ["white_wins", "black_wins", "draw"]) {
    const form = new FormData();
    form.append("name", name);
    form.append("image", await readPicture(`${name}.png`), `${name}.png`);
    await ann.client.emojis.create(server.id, form);
  }
  await ann.client.invites.create(server.id, { expires_in_hours: 720 });
  await ann.client.automod.update(server.id, { word_filter_enabled: true, word_filter_action: "delete" });
  await ann.client.automod.addWord(server.id, { word: "freepawns" });
}

async function talk(people: DemoPeople, { announcements, general, committee }: Record<ChannelName, Channel>) {
  const [welcome] = await converse(people, announcements, [
    [
      "ann",
      "# Welcome to the Harbour Chess Club\nWe meet **every Friday at 19:00** in the old customs house.\n\n- #general is for everything\n- #analysis is for positions\n- results are in #tournament",
    ],
    ["ben", "The heating works again. Bring a sweater anyway."],
  ]);
  if (welcome !== undefined) {
    await people.ann.client.pins.add(announcements.id, welcome.id);
    await reactTo(people, welcome, "👋", ["ben", "carla", "dmitri", "elif", "farah"]);
  }
  const lines = await converse(people, general, [
    ["ben", "Anybody for a game before the tournament?"],
    ["carla", "If the press lets me go by six."],
    ["dmitri", "The rule again: *touch move*, also in friendly games."],
    ["ben", "> touch move\n\nEspecially in friendly games 😬"],
    ["farah", "Hello! I saw the poster at the ferry. Is there room for a beginner?"],
    ["ann", "Always, @farah. Come on Friday, we have boards and tea."],
  ]);
  const [question] = lines;
  if (question !== undefined) {
    await people.ann.client.messages.send(general.id, { content: "Me, at 18:00.", reply_to: question.id });
  }
  const photo = await showPicture(people, general, {
    by: "elif",
    content: "The customs house from the water, yesterday evening.",
    picture: "harbour.png",
  });
  await reactTo(people, photo, "😍", ["ann", "carla", "farah"]);
  await reactTo(people, photo, "🌅", ["ben"]);
  await converse(people, committee, [
    ["ann", "Budget for the clocks: 120. Objections until Friday."],
    ["ben", "None from me."],
  ]);
}

async function analyse(people: DemoPeople, analysis: Channel): Promise<void> {
  const puzzle = await showPicture(people, analysis, {
    by: "ben",
    content: "White to move. I did not see it over the board. Answers in the thread, please.",
    picture: "puzzle.png",
  });
  for (const [author, content] of [
    ["carla", "Queen to e4? Looks natural."],
    ["ben", "That was my idea too, and it is not it."],
    ["dmitri", "Count the defenders of d5 after **Nf5**."],
    ["carla", "Oh. *Oh.*"],
  ] as const) {
    await people[author].client.threads.reply(analysis.id, puzzle.id, { content });
  }
  await reactTo(people, puzzle, "🤔", ["ann", "carla", "elif"]);
  await converse(people, analysis, [
    [
      "dmitri",
      "The game of last week, for replay:\n```\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n4. Ba4 Nf6 5. O-O Be7\n```\nThe novelty is on move 14.",
    ],
    ["ann", "`14. Nd5` was braver than I am."],
  ]);
}

async function organise(people: DemoPeople, tournament: Channel): Promise<void> {
  const { client } = people.ann;
  const poll = await client.polls.send(tournament.id, {
    question: "How long should the games of the autumn tournament be?",
    options: ["15 minutes + 10 seconds", "45 minutes", "90 minutes, as it should be"],
  });
  if (poll.poll !== null) {
    for (const [name, choice] of [
      ["ben", 0],
      ["carla", 0],
      ["dmitri", 2],
      ["elif", 1],
    ] as const) {
      const option = poll.poll.options[choice];
      if (option !== undefined) await people[name].client.polls.vote(poll.poll.id, { option_id: option.id });
    }
  }
  await client.scheduledEvents.send(tournament.id, {
    name: "Autumn tournament, round 1",
    description: "Five rounds, Swiss system. Pairings are made at 18:45.",
    starts_at: new Date(Date.now() + weekMs).toISOString(),
  });
  await converse(people, tournament, [
    ["dmitri", "Whoever is not there at 18:45 is not paired. @everyone"],
    ["elif", "I bring the clocks."],
  ]);
}

async function addBot(baseUrl: string, { ann }: DemoPeople, server: Server, tournament: Channel): Promise<void> {
  const { token } = await ann.client.bots.create({
    name: "Pairing clerk",
    description: "Announces pairings and results.",
  });
  const bot = createClient({ baseUrl, botToken: token });
  await bot.servers.join(server.id);
  await bot.messages.send(tournament.id, {
    content:
      "**Round 1**\n\n| Board | White | Black |\n|---|---|---|\n| 1 | ben | carla |\n| 2 | elif | dmitri |\n| 3 | farah | ann |",
  });
}

/** Creates a webhook. It is disabled, as no receiver listens on its port; to be enabled when one is started. */
async function addWebhook({ ann }: DemoPeople, server: Server): Promise<void> {
  const { webhook } = await ann.client.webhooks.create(server.id, {
    name: "Results page",
    url: "http://localhost:9000/results",
    event_types: ["message.created"],
  });
  await ann.client.webhooks.update(server.id, webhook.id, { enabled: false });
}
