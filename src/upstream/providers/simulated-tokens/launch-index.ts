/**
 * Finds which launch of a day has an address: those that came since the last look are written out, no other.
 * @returns its index, null where none of the last `day` launches up to the newest has it.
 */
export function createLaunchIndex(addressOf: (index: number) => string, day: number) {
  const indexes = new Map<string, number>();
  let indexed_to = -1;
  return (address: string, newest: number): number | null => {
    const oldest = newest - day;
    if (indexed_to > newest || indexed_to < oldest) {
      indexes.clear();
      indexed_to = oldest;
    }
    for (; indexed_to < newest; indexed_to += 1) indexes.set(addressOf(indexed_to + 1), indexed_to + 1);
    const index = indexes.get(address);
    return index === undefined || index <= oldest || index > newest ? null : index;
  };
}
