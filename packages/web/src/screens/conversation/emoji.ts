/** An emoji, in its forms for texts and for reactions. */
export interface PickedEmoji {
  text: string;
  /** A Unicode emoji, or `c:<custom emoji id>` (docs/interface.md#4.13). */
  reaction: string;
}

interface EmojiGroup {
  id: "smileys" | "people" | "nature" | "things" | "signs";
  emojis: readonly (readonly [emoji: string, names: string])[];
}

/** The common emoji by subject, each with the names by which it is searched. */
export const emojiGroups: readonly EmojiGroup[] = [
  {
    id: "smileys",
    emojis: pairs(
      "😀 grinning,😃 smiley,😄 smile,😁 grin,😆 laughing,😅 sweat_smile,😂 joy tears,🤣 rofl,🙂 slight_smile,🙃 upside_down,😉 wink,😊 blush,😇 innocent,🥰 smiling_hearts love,😍 heart_eyes love,🤩 star_struck,😘 kiss,😋 yum,😛 tongue,😜 wink_tongue,🤪 zany,🤗 hug,🤭 oops,🤫 shush,🤔 thinking,🤐 zipper,🤨 raised_eyebrow,😐 neutral,😑 expressionless,😶 no_mouth,😏 smirk,😒 unamused,🙄 rolling_eyes,😬 grimace,😌 relieved,😔 pensive sad,😪 sleepy,😴 sleeping,😷 mask,🤒 sick,🤕 hurt,🤢 nauseated,🤧 sneeze,🥵 hot,🥶 cold,🥴 woozy,😵 dizzy,🤯 exploding_head mind_blown,🤠 cowboy,🥳 party celebrate,😎 cool sunglasses,🤓 nerd,🧐 monocle,😕 confused,😟 worried,🙁 frown,😮 surprised wow,😲 astonished,😳 flushed,🥺 pleading,😦 frowning,😨 fearful,😰 anxious,😥 sad_relieved,😢 cry,😭 sob,😱 scream,😖 confounded,😞 disappointed,😓 sweat,😩 weary,😫 tired,🥱 yawn,😤 triumph,😡 rage angry,😠 angry,🤬 swearing,😈 devil,💀 skull dead,💩 poop,🤡 clown,👻 ghost,👽 alien,🤖 robot,😺 cat_smile,🙈 see_no_evil,🙉 hear_no_evil,🙊 speak_no_evil",
    ),
  },
  {
    id: "people",
    emojis: pairs(
      "👋 wave hello bye,🤚 raised_back,✋ raised_hand stop,🖖 vulcan,👌 ok,🤌 pinched,✌️ victory peace,🤞 fingers_crossed luck,🤟 love_you,🤘 metal,🤙 call_me,👈 point_left,👉 point_right,👆 point_up,👇 point_down,👍 thumbs_up yes +1,👎 thumbs_down no -1,✊ fist,👊 punch,👏 clap applause,🙌 raised_hands hooray,👐 open_hands,🤝 handshake deal,🙏 pray thanks please,✍️ writing,💪 muscle strong,👀 eyes look,👁️ eye,🧠 brain,🗣️ speaking,👶 baby,🧒 child,👩 woman,👨 man,🧑 person,👩‍💻 woman_technologist developer,👨‍💻 man_technologist developer,🕵️ detective,🧙 mage,🦸 superhero,🙋 raising_hand question,🤦 facepalm,🤷 shrug,🙇 bow,💃 dancer,🕺 man_dancing,🏃 runner,🧘 yoga",
    ),
  },
  {
    id: "nature",
    emojis: pairs(
      "🐶 dog,🐱 cat,🐭 mouse,🐹 hamster,🐰 rabbit,🦊 fox,🐻 bear,🐼 panda,🐨 koala,🐯 tiger,🦁 lion,🐮 cow,🐷 pig,🐸 frog,🐵 monkey,🐔 chicken,🐧 penguin,🐦 bird,🦆 duck,🦉 owl,🐺 wolf,🐴 horse,🦄 unicorn,🐝 bee,🐛 bug,🦋 butterfly,🐌 snail,🐢 turtle,🐍 snake,🐙 octopus,🦀 crab,🐳 whale,🐬 dolphin,🦈 shark,🌵 cactus,🌲 tree,🌱 seedling,🌸 blossom,🌹 rose,🌻 sunflower,🍄 mushroom,🌍 earth world,🌙 moon,⭐ star,🌟 glowing_star,⚡ lightning,🔥 fire,🌈 rainbow,☀️ sun,☁️ cloud,🌧️ rain,❄️ snow,🌊 wave_water,🍎 apple,🍌 banana,🍓 strawberry,🍒 cherry,🍑 peach,🍍 pineapple,🥑 avocado,🍅 tomato,🌶️ pepper,🥕 carrot,🍞 bread,🧀 cheese,🍔 burger,🍟 fries,🍕 pizza,🌮 taco,🍣 sushi,🍜 noodles,🍦 icecream,🍩 doughnut,🍪 cookie,🎂 cake birthday,🍫 chocolate,🍿 popcorn,☕ coffee,🍵 tea,🍺 beer,🍻 cheers,🍷 wine,🥂 toast_glasses",
    ),
  },
  {
    id: "things",
    emojis: pairs(
      "🎉 tada party,🎊 confetti,🎈 balloon,🎁 gift,🏆 trophy,🥇 gold_medal first,🥈 silver_medal,🥉 bronze_medal,⚽ football,🏀 basketball,🎮 game,🎲 dice,♟️ chess,🎯 target,🎨 art,🎬 movie,🎤 microphone,🎧 headphones,🎸 guitar,🎹 piano,🥁 drum,🚗 car,🚕 taxi,🚌 bus,🚲 bike,✈️ plane,🚀 rocket ship_it,🛸 ufo,⛵ boat,🏠 home,🏢 office,🏖️ beach,⏰ alarm,⌛ hourglass,📅 calendar,📌 pin,📎 paperclip,✂️ scissors,🔒 lock,🔑 key,🔨 hammer,🛠️ tools,⚙️ gear,🧪 test,💡 idea bulb,🔋 battery,💻 laptop,🖥️ computer,⌨️ keyboard,📱 phone,📷 camera,📺 tv,🔔 bell,📣 megaphone,✉️ mail,📦 package,📈 chart_up,📉 chart_down,📊 bar_chart,📝 memo note,📚 books,🔍 search,💰 money,💎 gem,🚨 siren,🚧 construction",
    ),
  },
  {
    id: "signs",
    emojis: pairs(
      "❤️ heart love,🧡 orange_heart,💛 yellow_heart,💚 green_heart,💙 blue_heart,💜 purple_heart,🖤 black_heart,🤍 white_heart,💔 broken_heart,💯 hundred,💢 anger,💥 boom,💫 dizzy_star,💦 sweat_drops,💤 zzz,💬 speech,✅ check done yes,☑️ ballot_check,✔️ check_mark,❌ x no cross,❓ question,❗ exclamation,⚠️ warning,🚫 forbidden,⛔ no_entry,♻️ recycle,➕ plus,➖ minus,➡️ right,⬅️ left,⬆️ up,⬇️ down,🔄 refresh,🆗 ok_sign,🆕 new,🔴 red,🟠 orange,🟡 yellow,🟢 green,🔵 blue,🟣 purple,⚫ black,⚪ white,🏁 finish,🚩 flag,🏳️‍🌈 rainbow_flag",
    ),
  },
];

function pairs(list: string): (readonly [string, string])[] {
  return list.split(",").map((entry) => {
    const space = entry.indexOf(" ");
    return [entry.slice(0, space), entry.slice(space + 1)];
  });
}

/** Emoji with a name that begins with, or contains, the letters. */
export function findEmoji(letters: string, atMost: number): (readonly [emoji: string, name: string])[] {
  const wanted = letters.toLowerCase();
  const all = emojiGroups.flatMap(({ emojis }) => emojis);
  const starting = all.filter(([, names]) => names.split(" ").some((name) => name.startsWith(wanted)));
  const containing = all.filter((entry) => !starting.includes(entry) && entry[1].includes(wanted));
  return [...starting, ...containing].slice(0, atMost).map(([emoji, names]) => [emoji, names.split(" ")[0] ?? names]);
}
