import { type Bot, InteractionState, NewInteraction } from "@parley/contracts";
import type { UserClient } from "@parley/testing";
import { z } from "zod";
import { type AppStage, Begun, use } from "../stages/app-stage.js";
import type { Answering, ReceivedDelivery } from "../stages/webhook-receiver.js";

const WithSecret = z.object({ interactions_secret: z.string() });

/** Makes the server send a bot's interactions to a URL from now on; resolves with the secret of the requests. */
export async function askAt(owner: UserClient, botId: Bot["id"], interactions_url: string): Promise<string> {
  const changed = await owner.patch(`/bots/${botId}`, { interactions_url });
  return changed.expect(200, WithSecret).interactions_secret;
}

/** The interaction in a request. */
export const interactionOf = ({ body }: ReceivedDelivery): NewInteraction =>
  NewInteraction.strict().parse(JSON.parse(body.toString()));

/** A bot that answers each request with this JSON. */
export const answering =
  (answer: (interaction: NewInteraction) => object): Answering =>
  (response, { delivery }) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(interactionOf(delivery))));
  };

/** Begins an interaction with a command; resolves with its id. */
export async function begin(stage: AppStage, name: string, fields: object = {}): Promise<string> {
  const answer = await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, name, fields));
  return answer.expect(202, Begun).id;
}

/** How an interaction stands for its invoker. */
export const readState = async (stage: AppStage, id: string): Promise<InteractionState> =>
  (await stage.member.get(`/interactions/${id}`)).expect(200, InteractionState.strict());
