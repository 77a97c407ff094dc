// The rules for the scripts of pages, for `make lint-scripts`. All scripts of a page are in one scope: tsc tells
// which name none of them declares, and the rule for what nobody uses needs all of them at once: all.js.
const js = require("./.venv/npm/node_modules/@eslint/js");

module.exports = [
  js.configs.recommended,
  {
    languageOptions: { sourceType: "script" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      "max-len": ["error", { code: 110 }],
      "no-undef": "off",
      "no-unused-vars": ["error", { vars: "local" }],
    },
  },
  { files: ["**/all.js", "**/offline.js", "**/worker.js"], rules: { "no-unused-vars": ["error", { vars: "all" }] } },
];
