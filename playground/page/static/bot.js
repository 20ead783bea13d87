/* The bot's process: its state, Kill and Start, and the words when it did not answer. */

import { notice } from "./notice.js";
import { connection, post, state } from "./server.js";

/** `running`, `starting`, `stopped`, `dead`, or `gone` when the whole playground is. */
export function botState() {
  return connection.up ? (state.supervisor.bot?.state ?? "unknown") : "gone";
}

export const isStopped = () => ["stopped", "dead"].includes(botState());

export async function killBot() {
  const said = await post("bot/kill");
  if (!said.ok) notice(`The bot could not be killed: ${said.error ?? "no answer"}.`, "bad");
}

export async function startBot() {
  const said = await post("bot/start");
  if (!said.ok) notice(`The bot could not be started: ${said.error ?? "no answer"}.`, "bad");
}

/** Says that a click or a command was not accepted, and what to do. */
export function sayUnanswered() {
  if (isStopped()) notice("The bot is stopped. Press Start, then try again.", "bad");
  else if (botState() === "starting") notice("The bot is just starting. Try again in a moment.", "bad");
  else notice("The bot did not answer within 3 seconds. Try again.", "bad");
}
