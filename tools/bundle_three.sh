#!/usr/bin/env bash
# Bundle the parts of three.js that pages need, from its npm package, into one file that is kept in
# the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
assets=$PWD/src/jounce/viewer/web/assets
mkdir -p build/three && cp "$assets/three.entry.js" build/three/entry.js
cd build/three
npm init -y >/dev/null && npm install three esbuild
npx esbuild entry.js --bundle --minify --format=iife --global-name=THREE --legal-comments=none \
  --outfile=three.js
version=$(node -p 'require("./node_modules/three/package.json").version')
{ echo "/* three.js $version, the parts of three.entry.js; MIT licence, see three.LICENSE. */"
  cat three.js; } > "$assets/three.min.js"
cp node_modules/three/LICENSE "$assets/three.LICENSE"
