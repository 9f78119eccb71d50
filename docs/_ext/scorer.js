// Sphinx's scores, but pages about a subject come before the glossary's definition of it.
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  score: ([docname, , , , score]) => (docname === "glossary" ? score - 50 : score),
};
