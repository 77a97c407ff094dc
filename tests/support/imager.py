"""What Raspberry Pi Imager 2 takes for a repository, and what it shows of it.

Restated from doc/json-schema/os-list-schema.json, whose names, types and values these are, and from the
filter in src/imagewriter.cpp, both of github.com/raspberrypi/rpi-imager 2.0.11 (Apache-2.0). An image and a
model may have further keys, the rest may not.
"""

TOP = {"imager": dict, "os_list": list}
IMAGER = {"latest_version": str, "url": str, "default_os": str, "devices": list}
MODEL = {"name": str, "description": str, "tags": list}
IMAGE = {
    "name": str, "description": str, "icon": str, "url": str, "extract_size": int, "extract_sha256": str,
    "image_download_size": int, "release_date": str, "devices": list,
}  # fmt: skip
MODEL_MAY = {"icon": str, "matching_type": str, "architecture": str, "capabilities": list}
IMAGE_MAY = {
    "init_format": str, "website": str, "architecture": str, "capabilities": list, "bmap_url": str,
    "random": bool, "tooltip": str, "enable_rpi_connect": bool,
}  # fmt: skip
INIT_FORMATS = {"", "systemd", "cloudinit", "cloudinit-rpi", "rpi-preseed", "none"}
ARCHITECTURES = {"armel", "armhf", "armv8"}  # in the description alone


def faults(repository):
    """Return what the schema refuses, as sentences."""
    found = [f"{key}: is unknown" for key in repository.keys() - TOP.keys()]
    imager = repository.get("imager", {})
    found += [f"imager.{key}: is unknown" for key in imager.keys() - IMAGER.keys()]
    found += _types("repository", repository, TOP, {"os_list"}) + _types("imager", imager, IMAGER, ())
    for model in imager.get("devices", ()):
        found += _types("model", model, MODEL | MODEL_MAY, MODEL)
    for image in repository.get("os_list", ()):
        found += _types("image", image, IMAGE | IMAGE_MAY, IMAGE)
        if image.get("init_format", "") not in INIT_FORMATS:
            found.append(f"image.init_format: {image['init_format']}")
        if image.get("architecture", "armv8") not in ARCHITECTURES:
            found.append(f"image.architecture: {image['architecture']}")
    return found


def _types(name, entry, types, needed):
    missing = [f"{name}.{key}: is missing" for key in needed if key not in entry]
    wrong = [key for key, kind in types.items() if key in entry and type(entry[key]) is not kind]
    return missing + [f"{name}.{key}: is no {types[key].__name__}" for key in wrong]


def offered(repository, model):
    """Return the images that Imager lists once this model was chosen."""
    [chosen] = [each for each in repository["imager"]["devices"] if each["name"] == model]
    return [image for image in repository["os_list"] if set(image["devices"]) & set(chosen["tags"])]
