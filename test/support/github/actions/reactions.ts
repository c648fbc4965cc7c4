import { type Account, type Reaction, timestamp, type World } from '../world.ts';

/** Adds a reaction; `created` is false where the account had given the same one already. */
export function addReaction(
  world: World,
  subject: { readonly reactions: Reaction[] },
  user: Account,
  content: string,
): { readonly reaction: Reaction; readonly created: boolean } {
  const known = subject.reactions.find(
    (reaction) => reaction.user.id === user.id && reaction.content === content,
  );
  if (known !== undefined) return { reaction: known, created: false };
  const reaction = { id: world.nextId(), content, user, createdAt: timestamp(world) };
  subject.reactions.push(reaction);
  return { reaction, created: true };
}
