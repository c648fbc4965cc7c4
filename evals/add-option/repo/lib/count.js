/** Counts lines (by line breaks) and words (by white space). */
function count(text) {
  return {
    lines: text.split('\n').length - 1,
    words: text.split(/\s+/).filter(Boolean).length,
  };
}

module.exports = { count };
