import { converse, type DemoPeople, reactTo, showPicture } from "./people.js";

/** A second, smaller server, of Carla's; Ann is a member. */
export async function openPrintShop(people: DemoPeople): Promise<void> {
  const { ann, ben, carla, elif } = people;
  const server = await carla.client.servers.create({ name: "Print & Ink", is_public: true });
  for (const { client } of [ann, elif]) await client.servers.join(server.id);
  const workshop = await carla.client.channels.create(server.id, { name: "workshop", topic: "Type, paper, ink" });
  const showcase = await carla.client.channels.create(server.id, { name: "showcase", topic: "Finished prints only" });
  await converse(people, workshop, [
    ["carla", "The poster for the tournament is on the press. Two colours, 60 copies."],
    ["elif", "May I photograph it while it is wet?"],
    ["carla", "From a distance. @ann needs twenty of them."],
  ]);
  const print = await showPicture(people, showcase, {
    by: "carla",
    content: "The harbour in two colours. Linocut, 30 × 40 cm.",
    picture: "linocut.png",
  });
  await reactTo(people, print, "🖨️", ["ann", "elif"]);

  const direct = await ben.client.directMessages.open({ user_id: ann.user.id });
  await ben.client.directMessages.send(direct.id, { content: "Can you bring the spare key on Friday?" });
  const posters = await carla.client.directMessages.open({ user_id: ann.user.id });
  await carla.client.directMessages.send(posters.id, { content: "The posters are dry. Come and fetch them." });
  await ann.client.directMessages.send(posters.id, { content: "Tomorrow at ten?" });
}
