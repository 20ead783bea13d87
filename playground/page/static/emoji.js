/* The most used emoji names; other names stay as `:name:`. */

const NAMES = `white_check_mark ✅|heavy_check_mark ✔️|x ❌|warning ⚠️|no_entry ⛔|no_entry_sign 🚫|lock 🔒|unlock 🔓|key 🔑|
hourglass ⌛|hourglass_flowing_sand ⏳|clock1 🕐|alarm_clock ⏰|stopwatch ⏱️|calendar 📆|date 📅|spiral_calendar_pad 🗓️|email 📧|e-mail 📧|
envelope ✉️|incoming_envelope 📨|outbox_tray 📤|inbox_tray 📥|mailbox 📫|memo 📝|pencil 📝|pencil2 ✏️|bulb 💡|mag 🔍|gear ⚙️|
wrench 🔧|hammer 🔨|robot_face 🤖|brain 🧠|eyes 👀|wave 👋|+1 👍|thumbsup 👍|-1 👎|thumbsdown 👎|ok_hand 👌|clap 👏|pray 🙏|
raised_hands 🙌|point_right 👉|point_down 👇|point_up 👆|smile 😄|grinning 😀|slightly_smiling_face 🙂|wink 😉|thinking_face 🤔|
joy 😂|sweat_smile 😅|laughing 😆|blush 😊|sob 😭|sunglasses 😎|muscle 💪|100 💯|grimacing 😬|cry 😢|heart ❤️|star ⭐|sparkles ✨|fire 🔥|tada 🎉|rocket 🚀|question ❓|grey_question ❔|exclamation ❗|
information_source ℹ️|bell 🔔|mega 📣|speech_balloon 💬|thread 🧵|link 🔗|paperclip 📎|page_facing_up 📄|file_folder 📁|
bar_chart 📊|chart_with_upwards_trend 📈|moneybag 💰|credit_card 💳|shopping_trolley 🛒|package 📦|truck 🚚|house 🏠|office 🏢|
seedling 🌱|deciduous_tree 🌳|evergreen_tree 🌲|herb 🌿|sunny ☀️|rain_cloud 🌧️|coffee ☕|beers 🍻|cake 🍰|chair 🪑|
red_circle 🔴|large_green_circle 🟢|large_yellow_circle 🟡|large_orange_circle 🟠|large_blue_circle 🔵|white_circle ⚪|black_circle ⚫|
arrow_right ➡️|arrow_left ⬅️|arrow_up ⬆️|arrow_down ⬇️|leftwards_arrow_with_hook ↩️|arrows_counterclockwise 🔄|repeat 🔁|
shield 🛡️|rotating_light 🚨|octagonal_sign 🛑|stop_sign 🛑|zap ⚡|boom 💥|bug 🐛|test_tube 🧪|bust_in_silhouette 👤|busts_in_silhouette 👥|
handshake 🤝|writing_hand ✍️|lower_left_fountain_pen 🖋️|put_litter_in_its_place 🚮|wastebasket 🗑️|computer 💻|globe_with_meridians 🌐`;

const TABLE = new Map(NAMES.split("|").map((pair) => pair.trim().split(" ")));

export function emoji(name, unicode) {
  if (unicode) return String.fromCodePoint(...unicode.split("-").map((part) => parseInt(part, 16)));
  return TABLE.get(name) ?? `:${name}:`;
}

export function withEmoji(text) {
  return text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => TABLE.get(name) ?? whole);
}
