const millisecondsADay = 86_400_000;
const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days since 1970-01-01 of a date written as YYYY-MM-DD. Throws a RangeError for anything else. */
export function parseDay(text) {
  const [, year, month, day] = isoDate.exec(text) ?? [];
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (Number.isNaN(time) || formatDay(time / millisecondsADay) !== text) {
    throw new RangeError(`${JSON.stringify(text)} is not a date. Write it as YYYY-MM-DD.`);
  }
  return time / millisecondsADay;
}

/** The date of a day, as YYYY-MM-DD. */
export function formatDay(day) {
  return new Date(day * millisecondsADay).toISOString().slice(0, 10);
}
