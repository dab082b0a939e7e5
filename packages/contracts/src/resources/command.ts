import { z } from "zod";
import { commandContexts, commandLimits, optionTypes } from "../app-kinds.js";
import { uuid } from "./identifiers.js";
import { permissionField } from "./role.js";
import { avatarUrl } from "./user.js";

const name = z.string().meta({ pattern: "^[a-z0-9_-]{1,32}$", example: "play" });
const description = z.string().meta({ minLength: 1, maxLength: commandLimits.description, example: "Begins a game" });

/** A value that an option or an autocompletion offers. */
export const CommandChoice = z
  .object({
    name: z.string().meta({ minLength: 1, maxLength: commandLimits.choiceText, example: "Queen's Gambit" }),
    value: z.union([z.string(), z.number()]).meta({ example: "D06" }),
  })
  .meta({ id: "CommandChoice" });
export type CommandChoice = z.infer<typeof CommandChoice>;

/** An option of a command (docs/protocol/apps.md#25.2). */
export const CommandOption = z
  .object({
    name,
    description,
    type: z.enum(optionTypes),
    required: z.boolean(),
    choices: z.array(CommandChoice).nullable().meta({ maxItems: commandLimits.choices }),
    min: z.number().nullable().meta({ description: "Least value, or length of a string", example: 1 }),
    max: z.number().nullable().meta({ description: "Largest value, or length of a string", example: 100 }),
    autocomplete: z.boolean(),
  })
  .meta({ id: "CommandOption" });
export type CommandOption = z.infer<typeof CommandOption>;

/** A command of a bot (docs/protocol/apps.md#25.2). */
export const Command = z
  .object({
    id: uuid,
    name,
    description,
    context: z.enum(commandContexts),
    options: z.array(CommandOption).meta({ maxItems: commandLimits.options }),
    default_permissions: permissionField
      .nullable()
      .meta({ description: "Bits that a member needs in the channel; null for none" }),
  })
  .meta({ id: "Command" });
export type Command = z.infer<typeof Command>;

/** A command as its bot reads it; the last keys only where they were set. */
export const OwnCommand = Command.extend({
  server_ids: z
    .array(uuid)
    .max(commandLimits.servers)
    .optional()
    .meta({ description: "The servers that offer it; absent: all" }),
  form: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "What the bot keeps with the command; nobody else reads it" }),
}).meta({ id: "OwnCommand" });
export type OwnCommand = z.infer<typeof OwnCommand>;

/** The commands of a bot in a channel. */
export const BotCommands = z
  .object({
    bot_user_id: uuid,
    name: z.string(),
    avatar_url: avatarUrl,
    commands: z.array(Command),
  })
  .meta({ id: "BotCommands" });
export type BotCommands = z.infer<typeof BotCommands>;

/** The commands of a channel's bots, by the names of the bots. */
export const ChannelCommands = z.object({
  bots: z.array(BotCommands),
  next_position: z.string().optional().meta({ description: "`position` of the next page; absent on the last one" }),
});
export type ChannelCommands = z.infer<typeof ChannelCommands>;
