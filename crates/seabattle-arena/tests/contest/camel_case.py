"""Has the functions of the contest under their camel-case names, and logs every call."""
import good


def setParameters(setCount):
    print("setParameters", setCount)


def onGameStart():
    print("onGameStart")


def onSetStart():
    print("onSetStart")
    good.on_set_start()


def getMap():
    print("getMap")
    return good.get_map()


def shoot():
    print("shoot")
    return good.shoot()


def shotResult(resultCode):
    print("shotResult", resultCode)
    good.shot_result(resultCode)


def onOpponentShot(cell):
    print("onOpponentShot", cell)


def onSetEnd():
    print("onSetEnd")


def onGameEnd():
    print("onGameEnd")
